"""Forecasts of weather and air quality, in the forms of HRRR, GFS, GEFS, ICON-EU and CAMS."""

from __future__ import annotations

from compare.relevance.archives.tables import Archive, arrays
from fixtures.documents import Group

HRRR_GRID = {"time": 90_000, "y": 1059, "x": 1799}

HRRR: Archive = {
    "": Group(
        {},
        {
            "title": "High-Resolution Rapid Refresh analysis (HRRR)",
            "summary": "Hourly analyses of NOAA's convection-allowing model for the contiguous United States, at 3 km.",
            "keywords": "weather, nowcasting, convection, CONUS",
            "institution": "US National Weather Service - NCEP",
            "geospatial_bounds": "POLYGON ((21.1 -134.1, 21.1 -60.9, 52.6 -60.9, 52.6 -134.1, 21.1 -134.1))",
            "time_coverage_start": "20140730T180000Z",
            "time_coverage_end": "present",
        },
    ),
    "surface": Group(
        arrays(
            """
            GUST | Wind speed (gust) | wind_speed_of_gust | m s-1
            VIS | Visibility | visibility_in_air | m
            PRES | Surface pressure | surface_air_pressure | Pa
            TMP | Temperature | surface_temperature | K
            APCP_1hr_acc_fcst | Total precipitation | | kg m-2
            PRATE | Precipitation rate | | kg m-2 s-1
            SNOD | Snow depth | surface_snow_thickness | m
            WEASD | Water equivalent of accumulated snow depth | | kg m-2
            CAPE | Convective available potential energy | | J kg-1
            CIN | Convective inhibition | | J kg-1
            HPBL | Planetary boundary layer height | | m
            DSWRF | Downward short-wave radiation flux | surface_downwelling_shortwave_flux_in_air | W m-2
            DLWRF | Downward long-wave radiation flux | | W m-2
            CRAIN | Categorical rain | | 1
            CSNOW | Categorical snow | | 1
            LAND | Land cover (1=land, 0=sea) | land_binary_mask | 1
            """,
            **HRRR_GRID,
        ),
    ),
    "2m_above_ground": Group(
        arrays(
            """
            TMP | Temperature | air_temperature | K
            DPT | Dew point temperature | dew_point_temperature | K
            RH | Relative humidity | relative_humidity | %
            SPFH | Specific humidity | specific_humidity | kg kg-1
            POT | Potential temperature | air_potential_temperature | K
            """,
            **HRRR_GRID,
        ),
    ),
    "10m_above_ground": Group(
        arrays(
            """
            UGRD | U-component of wind | eastward_wind | m s-1
            VGRD | V-component of wind | northward_wind | m s-1
            WIND_1hr_max_fcst | Wind speed | wind_speed | m s-1
            """,
            **HRRR_GRID,
        ),
    ),
    "500mb": Group(
        arrays(
            """
            HGT | Geopotential height | geopotential_height | gpm
            TMP | Temperature | air_temperature | K
            UGRD | U-component of wind | eastward_wind | m s-1
            VGRD | V-component of wind | northward_wind | m s-1
            """,
            **HRRR_GRID,
        ),
    ),
    "entire_atmosphere": Group(
        arrays(
            """
            REFC | Composite reflectivity | equivalent_reflectivity_factor | dB
            PWAT | Precipitable water | | kg m-2
            TCDC | Total cloud cover | cloud_area_fraction | %
            LTNG | Lightning | | 1
            """,
            **HRRR_GRID,
        ),
    ),
}

GFS_TABLE = """
    temperature_2m | Temperature | air_temperature | degC
    relative_humidity_2m | Relative humidity | relative_humidity | %
    wind_u_10m | U-component of wind | eastward_wind | m/s
    wind_v_10m | V-component of wind | northward_wind | m/s
    wind_u_100m | U-component of wind | eastward_wind | m/s
    wind_v_100m | V-component of wind | northward_wind | m/s
    precipitation_surface | Precipitation rate | precipitation_flux | mm/s
    pressure_surface | Surface pressure | surface_air_pressure | Pa
    pressure_reduced_to_mean_sea_level | Pressure reduced to MSL | air_pressure_at_mean_sea_level | Pa
    precipitable_water_atmosphere | Precipitable water | | kg m-2
    total_cloud_cover_atmosphere | Total cloud cover | cloud_area_fraction | %
    downward_short_wave_radiation_flux_surface | Downward short-wave radiation flux | surface_downwelling_shortwave_flux_in_air | W/(m^2)
    downward_long_wave_radiation_flux_surface | Downward long-wave radiation flux | | W/(m^2)
    percent_frozen_precipitation_surface | Percent frozen precipitation | | %
    categorical_snow_surface | Categorical snow | | 0=no; 1=yes
    geopotential_height_cloud_ceiling | Geopotential height | geopotential_height | gpm
"""

GFS: Archive = {
    "": Group(
        arrays(GFS_TABLE, init_time=7_000, lead_time=209, latitude=721, longitude=1440),
        {
            "title": "NOAA GFS forecast",
            "summary": "Weather forecasts from the Global Forecast System (GFS) operated by NOAA NWS NCEP, 16 days ahead.",
            "spatial:bbox": [-180.0, -90.0, 180.0, 90.0],
            "proj:code": "EPSG:4326",
            "time_coverage_start": "2021-05-01",
        },
    ),
}

GEFS: Archive = {
    "": Group(
        arrays(GFS_TABLE, init_time=2_000, ensemble_member=31, lead_time=181, latitude=721, longitude=1440),
        {
            "title": "NOAA GEFS forecast, 35 day",
            "summary": "Ensemble weather forecasts from the Global Ensemble Forecast System (GEFS) operated by NOAA NWS NCEP.",
            "time_coverage_start": "2020-10-01",
        },
    ),
}

ICON_EU: Archive = {
    "": Group(
        arrays(
            """
            temperature_2m | Temperature at 2 m above ground | air_temperature | degC
            vmax_10m | Maximum wind gust at 10 m above ground | wind_speed_of_gust | m s-1
            wind_u_10m | Zonal wind at 10 m above ground | eastward_wind | m s-1
            wind_v_10m | Meridional wind at 10 m above ground | northward_wind | m s-1
            precipitation_surface | Total precipitation | | kg m-2
            pressure_reduced_to_mean_sea_level | Surface pressure reduced to mean sea level | | Pa
            snow_depth | Snow depth | surface_snow_thickness | m
            high_cloud_cover | Cloud cover (0 - 400 hPa) | | %
            """,
            init_time=1_500,
            lead_time=93,
            latitude=657,
            longitude=1377,
        ),
        {
            "title": "Regional weather forecast for Europe, ICON-EU",
            "summary": "Forecasts of the German weather service, five days ahead, four times a day.",
            "keywords": "Germany, Europe, regional model",
            "institution": "Deutscher Wetterdienst",
            "bbox": [-23.5, 29.5, 62.5, 70.5],
        },
    ),
}

CAMS: Archive = {
    "": Group(
        arrays(
            """
            pm2p5 | Particulate matter d <= 2.5 um (PM2.5) | | kg m**-3
            pm10 | Particulate matter d <= 10 um (PM10) | | kg m**-3
            pm1 | Particulate matter d <= 1 um (PM1) | | kg m**-3
            aod550 | Total Aerosol Optical Depth at 550nm | atmosphere_optical_thickness_due_to_ambient_aerosol | ~
            duaod550 | Dust Aerosol Optical Depth at 550nm | | ~
            tcno2 | Total column Nitrogen dioxide | | kg m**-2
            tcco | Total column Carbon monoxide | | kg m**-2
            tcso2 | Total column Sulphur dioxide | | kg m**-2
            gtco3 | GEMS Total column ozone | atmosphere_mass_content_of_ozone | kg m**-2
            tc_ch4 | Total column methane | | kg m**-2
            t2m | 2 metre temperature | | K
            """,
            time=12_000,
            latitude=451,
            longitude=900,
        ),
        {
            "title": "CAMS global atmospheric composition forecasts",
            "summary": "Forecasts of more than 50 chemical species and seven types of aerosol, twice a day.",
            "keywords": "air quality, aerosol, pollution, Copernicus Atmosphere Monitoring Service",
            "institution": "European Centre for Medium-Range Weather Forecasts",
        },
    ),
}

FORECASTS = {"hrrr": HRRR, "noaa-gfs-forecast": GFS, "noaa-gefs-forecast-35-day": GEFS, "dwd-icon-eu": ICON_EU, "cams-global": CAMS}
