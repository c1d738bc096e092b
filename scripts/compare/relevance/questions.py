"""What scientists ask, and what they mean.

A row has the question, then the answers that are right: `repository/group: variable`, or `repository: variable` for a dataset at the
root. The first result must be one of these datasets, and its first variable that matched must be the one named.

- Where the question names a repository, an answer is in that repository.
- Where several datasets have exactly what is asked, the right one is that with the fewest other variables.
- Where a person would take any of several, all of them are listed.
"""

from __future__ import annotations

Question = tuple[str, *tuple[str, ...]]

QUESTIONS: list[Question] = [
    # Reanalyses, by the words of a long name and the name of the archive.
    ("2 metre temperature era5", "era5/single-levels: t2m"),
    ("2m temperature era5-land", "era5-land: t2m"),
    ("2 metre temperature", "temperature-atlas: t2m"),
    ("era5 total precipitation", "era5/single-levels: tp"),
    ("wind gusts era5", "era5/single-levels: i10fg", "era5/single-levels: fg10"),
    ("era5 mean sea level pressure", "era5/single-levels: msl"),
    ("era5 wind 100 m", "era5/single-levels: u100", "era5/single-levels: v100"),
    ("CAPE era5", "era5/single-levels: cape"),
    ("boundary layer height era5", "era5/single-levels: blh"),
    ("significant wave height", "era5/single-levels: swh"),
    ("geopotential era5 pressure levels", "era5/pressure-levels: z"),
    ("specific humidity on pressure levels", "era5/pressure-levels: q"),
    ("soil temperatures era5 land", *(f"era5-land: stl{level}" for level in (1, 2, 3, 4))),
    ("leaf area index", "era5-land: lai_hv", "era5-land: lai_lv"),
    ("black carbon merra2", "merra2/M2T1NXAER: BCSMASS", "merra2/M2T1NXAER: BCCMASS"),
    ("2m air temperature merra-2", "merra2/M2T1NXSLV: T2M"),
    # Models of the climate, by names of models, experiments and tables.
    (
        "tas historical",
        *(f"cmip6/{model}/historical/Amon: tas" for model in ("CESM2", "MPI-ESM1-2-LR", "UKESM1-0-LL", "EC-Earth3", "IPSL-CM6A-LR")),
        "cmip6/EC-Earth3/historical/day: tas",
        *(f"nex-gddp-cmip6/{model}/historical/tas: tas" for model in ("ACCESS-CM2", "NorESM2-MM")),
    ),
    ("CESM2 historical near-surface air temperature", "cmip6/CESM2/historical/Amon: tas"),
    ("MPI-ESM1-2-LR ssp585 precipitation", "cmip6/MPI-ESM1-2-LR/ssp585/Amon: pr"),
    ("ukesm sea surface salinity", "cmip6/UKESM1-0-LL/historical/Omon: sos", "cmip6/UKESM1-0-LL/ssp585/Omon: sos"),
    ("EC-Earth3 ssp245 daily maximum temperature", "cmip6/EC-Earth3/ssp245/day: tasmax"),
    ("rsds ssp585 CESM2", "cmip6/CESM2/ssp585/Amon: rsds"),
    ("sea ice thickness cesm2 historical", "cmip6/CESM2/historical/SImon: sithick"),
    ("downscaled precipitation ACCESS-CM2 ssp245", "nex-gddp-cmip6/ACCESS-CM2/ssp245/pr: pr"),
    ("temperature anomalies hadcrut", "hadcrut5: tas_mean"),
    # Forecasts. The model and the region can be in the title, which a group has from its root.
    ("wind gust hrrr", "hrrr/surface: GUST"),
    ("high resolution rapid refresh visibility", "hrrr/surface: VIS"),
    ("hrrr 2m dew point", "hrrr/2m_above_ground: DPT"),
    ("composite reflectivity", "hrrr/entire_atmosphere: REFC"),
    ("hrrr 500 mb geopotential height", "hrrr/500mb: HGT"),
    ("gfs precipitation forecast", "noaa-gfs-forecast: precipitation_surface"),
    ("noaa gfs 2m temperature", "noaa-gfs-forecast: temperature_2m"),
    ("wind gusts europe", "dwd-icon-eu: vmax_10m"),
    ("pm2.5", "cams-global: pm2p5"),
    ("aerosol optical depth 550 nm", "cams-global: aod550"),
    # Seas and sea ice.
    ("sea surface temperature daily", "oisst: sst", "mur-sst: analysed_sst"),
    ("mur sea surface temperature", "mur-sst: analysed_sst"),
    ("sst anomalies", "oisst: anom", "mur-sst: sst_anomaly"),
    ("sea ice fraction mur", "mur-sst: sea_ice_fraction"),
    ("salinity argo", "argo/profiles/core: PSAL", "argo/profiles/bgc: PSAL"),
    ("argo dissolved oxygen profiles", "argo/profiles/bgc: DOXY"),
    ("chlorophyll concentration", "ocean-colour-cci: chlor_a"),
    ("sea level anomaly", "duacs-altimetry: sla"),
    ("ocean currents glorys", "glorys12: uo", "glorys12: vo"),
    ("arctic sea ice thickness", "cryosat-arctic: sea_ice_thickness"),
    ("wind speed m/s ccmp", "ccmp: ws"),
    ("sea floor elevation", "gebco-2024: elevation"),
    # Words in quotes follow each other, also in a comment or a history.
    ('"liquid and solid phases" CESM2 historical', "cmip6/CESM2/historical/Amon: pr"),
    ('"2 meter air temperature" mpi-esm1-2-lr ssp585', "cmip6/MPI-ESM1-2-LR/ssp585/Amon: tas"),
    ('"ultra-high resolution" sea surface temperature', "mur-sst: analysed_sst"),
    ('"nominal 4-day latency" analysed_sst', "mur-sst: analysed_sst"),
    ('"2 metre temperature"', "temperature-atlas: t2m"),
    # Pictures have the names of what they show.
    ("total precipitation", "dwd-icon-eu: precipitation_surface"),
    ("map pictures temperature", "map-pictures/2_metre_temperature: 2_metre_temperature", "map-pictures/sea_surface_temperature: sea_surface_temperature"),
    # Land, from satellites.
    ("sentinel red band 10 m", "sentinel-2-l2a/measurements/reflectance/r10m: b04"),
    ("sentinel-2 scene classification", "sentinel-2-l2a/conditions/mask/l2a_classification/r20m: scl"),
    ("landsat surface temperature kelvin", "landsat-c2-l2: lwir11"),
    ("cloud mask", "modis-cloud-mask: Cloud_Mask"),
    ("soil moisture smap", "smap-l3: soil_moisture"),
    ("tropospheric no2 column", "tropomi-no2: nitrogendioxide_tropospheric_column"),
    # Water.
    ("precipitations chirps", "chirps: precip"),
    ("gpm half hourly precipitation mm/hr", "gpm-imerg/Grid: precipitation"),
    ("monthly precipitation united states", "prism-monthly: ppt"),
    ("daily maximum temperature north america", "daymet: tmax"),
    ("snow water equivalent", "snodas: SWE"),
    ("river discharge m3/s", "glofas: dis24"),
    ("streamflow national water model", "nwm-retrospective/chrtout: streamflow"),
]
