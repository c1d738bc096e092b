"""Projections and records of the climate, in the forms of CMIP6, NEX-GDDP-CMIP6 and HadCRUT5."""

from __future__ import annotations

from compare.relevance.archives.tables import Archive, arrays
from fixtures.documents import Group

AMON = """
    tas | Near-Surface Air Temperature | air_temperature | K
    ts | Surface Temperature | surface_temperature | K
    pr | Precipitation | precipitation_flux | kg m-2 s-1
    prsn | Snowfall Flux | snowfall_flux | kg m-2 s-1
    psl | Sea Level Pressure | air_pressure_at_mean_sea_level | Pa
    ps | Surface Air Pressure | surface_air_pressure | Pa
    uas | Eastward Near-Surface Wind | eastward_wind | m s-1
    vas | Northward Near-Surface Wind | northward_wind | m s-1
    sfcWind | Near-Surface Wind Speed | wind_speed | m s-1
    huss | Near-Surface Specific Humidity | specific_humidity | 1
    hurs | Near-Surface Relative Humidity | relative_humidity | %
    clt | Total Cloud Cover Percentage | cloud_area_fraction | %
    hfls | Surface Upward Latent Heat Flux | surface_upward_latent_heat_flux | W m-2
    hfss | Surface Upward Sensible Heat Flux | surface_upward_sensible_heat_flux | W m-2
    rsds | Surface Downwelling Shortwave Radiation | surface_downwelling_shortwave_flux_in_air | W m-2
    rlds | Surface Downwelling Longwave Radiation | surface_downwelling_longwave_flux_in_air | W m-2
    rsut | TOA Outgoing Shortwave Radiation | toa_outgoing_shortwave_flux | W m-2
    rlut | TOA Outgoing Longwave Radiation | toa_outgoing_longwave_flux | W m-2
    evspsbl | Evaporation Including Sublimation and Transpiration | water_evapotranspiration_flux | kg m-2 s-1
"""

OMON = """
    tos | Sea Surface Temperature | sea_surface_temperature | degC
    sos | Sea Surface Salinity | sea_surface_salinity | 0.001
    zos | Sea Surface Height Above Geoid | sea_surface_height_above_geoid | m
    mlotst | Ocean Mixed Layer Thickness Defined by Sigma T | ocean_mixed_layer_thickness_defined_by_sigma_t | m
    hfds | Downward Heat Flux at Sea Water Surface | surface_downward_heat_flux_in_sea_water | W m-2
"""

SIMON = """
    siconc | Sea-Ice Area Percentage (Ocean Grid) | sea_ice_area_fraction | %
    sithick | Sea Ice Thickness | sea_ice_thickness | m
    sisnthick | Snow Thickness | surface_snow_thickness | m
"""

DAY = """
    tas | Near-Surface Air Temperature | air_temperature | K
    tasmax | Daily Maximum Near-Surface Air Temperature | air_temperature | K
    tasmin | Daily Minimum Near-Surface Air Temperature | air_temperature | K
    pr | Precipitation | precipitation_flux | kg m-2 s-1
    sfcWind | Daily-Mean Near-Surface Wind Speed | wind_speed | m s-1
"""

MODELS = {
    "CESM2": ("National Center for Atmospheric Research", ("historical", "ssp245", "ssp585"), ("Amon", "SImon")),
    "MPI-ESM1-2-LR": ("Max Planck Institute for Meteorology", ("historical", "ssp585"), ("Amon",)),
    "UKESM1-0-LL": ("Met Office Hadley Centre", ("historical", "ssp585"), ("Amon", "Omon")),
    "EC-Earth3": ("EC-Earth consortium", ("historical", "ssp245"), ("Amon", "day")),
    "IPSL-CM6A-LR": ("Institut Pierre Simon Laplace", ("historical", "piControl"), ("Amon", "Omon")),
}
"""The institution of each model, its experiments and its tables."""

EXPERIMENTS = {
    "historical": ("all-forcing simulation of the recent past", "1850", "2014"),
    "ssp245": ("update of RCP4.5 based on SSP2", "2015", "2100"),
    "ssp585": ("update of RCP8.5 based on SSP5", "2015", "2100"),
    "piControl": ("pre-industrial control", "0001", "2000"),
}

COMMENTS = {
    "tas": "near-surface (usually, 2 meter) air temperature",
    "pr": "includes both liquid and solid phases",
    "evspsbl": "Evaporation at surface (also known as evapotranspiration): flux of water into the atmosphere",
}
"""What some variables say about themselves, by name."""

TABLES = {"Amon": (AMON, "mon", 1980), "Omon": (OMON, "mon", 1980), "SImon": (SIMON, "mon", 1980), "day": (DAY, "day", 60_225)}


def make_cmip6() -> Archive:
    """A group for each model, experiment and table, with the attributes that CMIP6 asks for."""
    archive = {
        "": Group(
            {},
            {
                "title": "CMIP6: Coupled Model Intercomparison Project, phase 6",
                "summary": "Output of coupled climate models for the sixth assessment report of the IPCC.",
                "keywords": "climate models, projections, scenarios, WCRP",
            },
        )
    }
    for model, (institution, experiments, tables) in MODELS.items():
        archive[model] = Group({}, {"title": f"{model} output prepared for CMIP6", "institution": institution, "source_id": model})
        for experiment in experiments:
            described, start, end = EXPERIMENTS[experiment]
            attributes = {"experiment_id": experiment, "experiment": described}
            archive[f"{model}/{experiment}"] = Group({}, {**attributes, "time_coverage_start": start, "time_coverage_end": end})
            for table in tables:
                variables, frequency, times = TABLES[table]
                stated = {"table_id": table, "frequency": frequency, "variant_label": "r1i1p1f1", "mip_era": "CMIP6"}
                described = arrays(variables, time=times, lat=96, lon=192)
                for name in COMMENTS.keys() & described.keys():
                    described[name].attributes["comment"] = COMMENTS[name]
                archive[f"{model}/{experiment}/{table}"] = Group(described, stated)
    return archive


DOWNSCALED = {
    "pr": "pr | Precipitation (mean of the daily precipitation rate) | precipitation_flux | kg m-2 s-1",
    "tas": "tas | Daily Near-Surface Air Temperature | air_temperature | K",
    "tasmax": "tasmax | Daily Maximum Near-Surface Air Temperature | air_temperature | K",
}


def make_nex_gddp() -> Archive:
    """A group for each model, experiment and variable."""
    archive = {
        "": Group(
            {},
            {
                "title": "NASA Earth Exchange Global Daily Downscaled Projections",
                "summary": "Statistically downscaled and bias-corrected climate scenarios derived from CMIP6, at 0.25 degrees.",
                "keywords": "downscaling, bias correction, climate change impacts",
                "institution": "NASA Ames Research Center",
            },
        )
    }
    for model in ("ACCESS-CM2", "NorESM2-MM"):
        for experiment in ("historical", "ssp245"):
            for name, table in DOWNSCALED.items():
                stated = {"cmip6_source_id": model, "scenario": experiment, "frequency": "day"}
                archive[f"{model}/{experiment}/{name}"] = Group(arrays(table, time=31_390, lat=600, lon=1440), stated)
    return archive


HADCRUT5: Archive = {
    "": Group(
        arrays(
            """
            tas_mean | blended air_temperature_anomaly over land with sea_water_temperature_anomaly | | K
            tas_lower | lower end of the 95% confidence interval | | K
            tas_upper | upper end of the 95% confidence interval | | K
            """,
            time=2110,
            latitude=36,
            longitude=72,
        ),
        {
            "title": "HadCRUT.5.0.2.0 analysis of near-surface temperature anomalies, relative to 1961-1990",
            "institution": "Met Office Hadley Centre / Climatic Research Unit, University of East Anglia",
            "keywords": "global warming, observations",
        },
    ),
}

CLIMATE_MODELS = {"cmip6": make_cmip6(), "nex-gddp-cmip6": make_nex_gddp(), "hadcrut5": HADCRUT5}
