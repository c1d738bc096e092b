"""Seas, in the forms of MUR SST, Argo and other archives."""

from __future__ import annotations

from compare.relevance.archives.tables import Archive, arrays
from fixtures.documents import Group

MUR_SST: Archive = {
    "": Group(
        arrays(
            """
            analysed_sst | analysed sea surface temperature | sea_surface_foundation_temperature | kelvin
            analysis_error | estimated error standard deviation of analysed_sst | | kelvin
            mask | sea/land field composite mask | | 1
            sea_ice_fraction | sea ice area fraction | sea_ice_area_fraction | 1
            dt_1km_data | time to most recent 1km data | | hours
            sst_anomaly | SST anomaly from a seasonal SST climatology based on the MUR data over 2003-2014 period | | kelvin
            """,
            time=8_600,
            lat=17_999,
            lon=36_000,
        ),
        {
            "title": "Daily MUR SST, Final product",
            "summary": "A merged, multi-sensor L4 Foundation SST analysis product from JPL, at 0.01 degrees (1 km), global.",
            "comment": "MUR = Multi-scale Ultra-high Resolution",
            "history": "created at nominal 4-day latency; replaced nrt (1-day latency) version.",
            "keywords": "Oceans > Ocean Temperature > Sea Surface Temperature",
            "institution": "Jet Propulsion Laboratory",
            "northernmost_latitude": 90.0,
            "southernmost_latitude": -90.0,
            "easternmost_longitude": 180.0,
            "westernmost_longitude": -180.0,
            "time_coverage_start": "20020531T210000Z",
            "time_coverage_end": "20260131T210000Z",
        },
    ),
}

OISST: Archive = {
    "": Group(
        arrays(
            """
            sst | Daily sea surface temperature | | Celsius
            anom | Daily sea surface temperature anomalies | | Celsius
            err | Estimated error standard deviation of analysed_sst | | Celsius
            ice | Sea ice concentration | | %
            """,
            time=16_000,
            zlev=1,
            lat=720,
            lon=1440,
        ),
        {
            "title": "NOAA/NCEI 1/4 Degree Daily Optimum Interpolation Sea Surface Temperature (OISST) Analysis, Version 2.1",
            "keywords": "Earth Science > Oceans > Ocean Temperature > Sea Surface Temperature",
            "institution": "NOAA/National Centers for Environmental Information",
            "time_coverage_start": "1981-09-01T00:00:00Z",
        },
    ),
}

ARGO_SAMPLES = {"N_PROF": 2_900_000, "N_LEVELS": 2_000}

ARGO: Archive = {
    "": Group(
        {},
        {
            "title": "Argo float vertical profiles",
            "summary": "Profiles of the upper 2,000 m of the ocean, measured by drifting floats.",
            "institution": "Argo Global Data Assembly Centre",
            "keywords": "ocean, floats, in situ, CTD",
            "time_coverage_start": "1997-07-28",
            "time_coverage_end": "present",
        },
    ),
    "profiles/core": Group(
        arrays(
            """
            PRES | Sea water pressure, equals 0 at sea-level | sea_water_pressure | decibar
            TEMP | Sea temperature in-situ ITS-90 scale | sea_water_temperature | degree_Celsius
            PSAL | Practical salinity | sea_water_salinity | psu
            PRES_ADJUSTED | Sea water pressure, equals 0 at sea-level | sea_water_pressure | decibar
            TEMP_ADJUSTED | Sea temperature in-situ ITS-90 scale | sea_water_temperature | degree_Celsius
            PSAL_ADJUSTED | Practical salinity | sea_water_salinity | psu
            """,
            **ARGO_SAMPLES,
        )
        | arrays(
            """
            PLATFORM_NUMBER | Float unique identifier | |
            CYCLE_NUMBER | Float cycle number | |
            JULD | Julian day (UTC) of the station relative to REFERENCE_DATE_TIME | time |
            LATITUDE | Latitude of the station, best estimate | latitude | degree_north
            LONGITUDE | Longitude of the station, best estimate | longitude | degree_east
            POSITION_QC | Quality on position (latitude and longitude) | |
            """,
            N_PROF=2_900_000,
        ),
    ),
    "profiles/bgc": Group(
        arrays(
            """
            PRES | Sea water pressure, equals 0 at sea-level | sea_water_pressure | decibar
            TEMP | Sea temperature in-situ ITS-90 scale | sea_water_temperature | degree_Celsius
            PSAL | Practical salinity | sea_water_salinity | psu
            DOXY | Dissolved oxygen | moles_of_oxygen_per_unit_mass_in_sea_water | micromole/kg
            CHLA | Chlorophyll-A | mass_concentration_of_chlorophyll_a_in_sea_water | mg/m3
            BBP700 | Particle backscattering at 700 nanometers | | m-1
            NITRATE | Nitrate | moles_of_nitrate_per_unit_mass_in_sea_water | micromole/kg
            PH_IN_SITU_TOTAL | pH | sea_water_ph_reported_on_total_scale | 1
            """,
            **ARGO_SAMPLES,
        ),
        {"title": "Argo biogeochemical profiles"},
    ),
}

GLORYS12: Archive = {
    "": Group(
        arrays(
            """
            thetao | Temperature | sea_water_potential_temperature | degrees_C
            so | Salinity | sea_water_salinity | 1e-3
            uo | Eastward velocity | eastward_sea_water_velocity | m s-1
            vo | Northward velocity | northward_sea_water_velocity | m s-1
            zos | Sea surface height | sea_surface_height_above_geoid | m
            mlotst | Density ocean mixed layer thickness | ocean_mixed_layer_thickness_defined_by_sigma_theta | m
            bottomT | Sea floor potential temperature | sea_water_potential_temperature_at_sea_floor | degrees_C
            siconc | Ice concentration | sea_ice_area_fraction | 1
            sithick | Sea ice thickness | sea_ice_thickness | m
            """,
            time=11_000,
            depth=50,
            latitude=2041,
            longitude=4320,
        ),
        {
            "title": "Global Ocean Physics Reanalysis GLORYS12V1, daily mean fields",
            "summary": "An eddy-resolving reanalysis of temperature, salinity, currents, sea level and ice at 1/12 degree.",
            "keywords": "ocean reanalysis, ocean currents, Copernicus Marine Service",
            "institution": "Mercator Ocean International",
        },
    ),
}

ALTIMETRY: Archive = {
    "": Group(
        arrays(
            """
            sla | Sea level anomaly | sea_surface_height_above_sea_level | m
            adt | Absolute dynamic topography | sea_surface_height_above_geoid | m
            ugos | Absolute geostrophic velocity: zonal component | surface_geostrophic_eastward_sea_water_velocity | m/s
            vgos | Absolute geostrophic velocity: meridian component | surface_geostrophic_northward_sea_water_velocity | m/s
            err_sla | Formal mapping error | | m
            """,
            time=11_500,
            latitude=1440,
            longitude=2880,
        ),
        {
            "title": "DUACS delayed time altimeter gridded maps over the global ocean",
            "keywords": "altimetry, geostrophic currents, SSALTO/DUACS",
            "institution": "CLS, CNES",
        },
    ),
}

OCEAN_COLOUR: Archive = {
    "": Group(
        arrays(
            """
            chlor_a | Chlorophyll-a concentration in seawater | mass_concentration_of_chlorophyll_a_in_sea_water | milligram m-3
            Rrs_412 | Sea surface reflectance at 412 nm | surface_ratio_of_upwelling_radiance | sr-1
            Rrs_560 | Sea surface reflectance at 560 nm | surface_ratio_of_upwelling_radiance | sr-1
            kd_490 | Downwelling attenuation coefficient at 490nm | | m-1
            """,
            time=320,
            lat=4320,
            lon=8640,
        ),
        {"title": "ESA CCI Ocean Colour Product", "keywords": "satellite, phytoplankton"},
    ),
}

GEBCO: Archive = {
    "": Group(
        arrays("elevation | Elevation relative to sea level | height_above_mean_sea_level | m", lat=43_200, lon=86_400),
        {
            "title": "The GEBCO_2024 Grid - a continuous terrain model for oceans and land at 15 arc-second intervals",
            "keywords": "bathymetry, topography, sea floor",
            "institution": "On behalf of the General Bathymetric Chart of the Oceans",
        },
    ),
}

CCMP: Archive = {
    "": Group(
        arrays(
            """
            ws | wind speed at 10 meters | wind_speed | m s-1
            uwnd | u-wind vector component at 10 meters | eastward_wind | m s-1
            vwnd | v-wind vector component at 10 meters | northward_wind | m s-1
            nobs | number of observations used to derive wind vector components | | 1
            """,
            time=46_000,
            latitude=720,
            longitude=1440,
        ),
        {"title": "CCMP 6-hourly ocean surface wind analysis V3.1", "institution": "Remote Sensing Systems"},
    ),
}

OCEANS = {
    "mur-sst": MUR_SST,
    "oisst": OISST,
    "argo": ARGO,
    "glorys12": GLORYS12,
    "duacs-altimetry": ALTIMETRY,
    "ocean-colour-cci": OCEAN_COLOUR,
    "gebco-2024": GEBCO,
    "ccmp": CCMP,
}
