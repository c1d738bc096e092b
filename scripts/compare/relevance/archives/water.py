"""Precipitation, snow, soil moisture and rivers, in the forms of CHIRPS, IMERG, Daymet and other archives."""

from __future__ import annotations

from compare.relevance.archives.tables import Archive, arrays
from fixtures.documents import Group

CHIRPS: Archive = {
    "": Group(
        arrays(
            "precip | Climate Hazards group InfraRed Precipitation with Stations | convective precipitation rate | mm/day",
            time=16_400,
            latitude=2000,
            longitude=7200,
        ),
        {
            "title": "CHIRPS Version 2.0",
            "institution": "Climate Hazards Group. University of California at Santa Barbara",
            "geospatial_bounds": "POLYGON ((-50 -180, -50 180, 50 180, 50 -180, -50 -180))",
        },
    ),
}

IMERG: Archive = {
    "Grid": Group(
        arrays(
            """
            precipitation | Complete merged microwave-infrared (gauge-adjusted) precipitation | | mm/hr
            randomError | Random error estimate for precipitation | | mm/hr
            precipitationQualityIndex | Quality Index for precipitation field | | 1
            probabilityLiquidPrecipitation | Probability of liquid phase precipitation | | %
            """,
            time=440_000,
            lon=3600,
            lat=1800,
        ),
        {
            "title": "GPM IMERG Final Precipitation L3 Half Hourly 0.1 degree x 0.1 degree V07",
            "keywords": "rain, snowfall, satellite constellation",
            "institution": "NASA Goddard Space Flight Center",
        },
    ),
}

PRISM: Archive = {
    "": Group(
        arrays(
            """
            ppt | Total precipitation (rain and melted snow) | lwe_thickness_of_precipitation_amount | mm
            tmax | Maximum temperature | air_temperature | degC
            tmin | Minimum temperature | air_temperature | degC
            tmean | Mean temperature | air_temperature | degC
            vpdmax | Maximum vapor pressure deficit | | hPa
            """,
            time=1_570,
            lat=621,
            lon=1405,
        ),
        {"title": "PRISM monthly climate of the contiguous United States", "institution": "Oregon State University"},
    ),
}

DAYMET: Archive = {
    "": Group(
        arrays(
            """
            tmax | daily maximum temperature | air_temperature | degrees C
            tmin | daily minimum temperature | air_temperature | degrees C
            prcp | daily total precipitation | | mm/day
            srad | daylight average incident shortwave radiation | | W/m2
            vp | daily average vapor pressure | | Pa
            swe | snow water equivalent | | kg/m2
            dayl | daylength | | s
            """,
            time=16_400,
            y=8_075,
            x=7_814,
        ),
        {
            "title": "Daymet: Daily Surface Weather Data on a 1-km Grid for North America, Version 4",
            "institution": "Oak Ridge National Laboratory",
        },
    ),
}

SNODAS: Archive = {
    "": Group(
        arrays("SWE | Snow water equivalent | lwe_thickness_of_surface_snow_amount | mm", time=8_000, lat=3351, lon=6935),
        {"title": "Snow Data Assimilation System (SNODAS) daily maps", "keywords": "snowpack, hydrology"},
    ),
}

SMAP: Archive = {
    "": Group(
        arrays(
            """
            soil_moisture | Representative soil moisture measurement for the Earth based grid cell | | cm**3/cm**3
            soil_moisture_error | Estimated 1-sigma error of the soil_moisture output parameter | | cm**3/cm**3
            surface_temperature | Temperature at land surface based on GMAO GEOS-5 data | | Kelvin
            vegetation_water_content | Representative measure of water in the vegetation | | kg/m**2
            """,
            time=3_800,
            y=406,
            x=964,
        ),
        {"title": "SMAP L3 Radiometer Global Daily 36 km EASE-Grid Soil Moisture", "institution": "NASA"},
    ),
}

CCI_SOIL_MOISTURE: Archive = {
    "": Group(
        arrays(
            """
            sm | Volumetric Soil Moisture | volume_fraction_of_condensed_water_in_soil | m3 m-3
            sm_uncertainty | Volumetric Soil Moisture Uncertainty | | m3 m-3
            freqbandID | Frequency Band Identification | | 1
            sensor | Sensor | | 1
            """,
            time=16_500,
            lat=720,
            lon=1440,
        ),
        {"title": "ESA CCI Surface Soil Moisture COMBINED active+passive Product", "institution": "TU Wien"},
    ),
}

WATER_MODEL: Archive = {
    "": Group(
        {},
        {
            "title": "NOAA National Water Model CONUS Retrospective",
            "summary": "A 44-year hourly simulation of rivers and land surfaces with WRF-Hydro.",
            "keywords": "hydrology, floods",
        },
    ),
    "chrtout": Group(
        arrays("streamflow | River Flow | | m3 s-1\nvelocity | River Velocity | | m s-1", time=385_000, feature_id=2_776_734),
    ),
    "ldasout": Group(
        arrays(
            """
            SNEQV | Snow water equivalent | | kg m-2
            SNOWH | Snow depth | | m
            SOIL_M | volumetric soil moisture | | m3 m-3
            ACCET | Accumulated total ET | | mm
            FSNO | Snow-cover fraction on the ground | | 1
            """,
            time=128_000,
            y=3840,
            x=4608,
        ),
    ),
}

GLOFAS: Archive = {
    "": Group(
        arrays("dis24 | Mean discharge in the last 24 hours | | m**3 s**-1", time=16_700, latitude=3000, longitude=7200),
        {
            "title": "River discharge and related historical data from the Global Flood Awareness System",
            "institution": "European Centre for Medium-Range Weather Forecasts",
        },
    ),
}

STATIONS: Archive = {
    "": Group(
        arrays(
            """
            TMAX | Maximum temperature | air_temperature | degC
            TMIN | Minimum temperature | air_temperature | degC
            PRCP | Precipitation | | mm
            SNWD | Snow depth | surface_snow_thickness | mm
            AWND | Average daily wind speed | wind_speed | m s-1
            WSFG | Peak gust wind speed | wind_speed_of_gust | m s-1
            """,
            station=120_000,
            time=80_000,
        ),
        {
            "title": "Global Historical Climatology Network daily (GHCNd)",
            "summary": "Observations of stations; compare them with the 2 metre temperature of reanalyses such as ERA5.",
            "keywords": "stations, in situ, observations",
        },
    ),
}

WATER = {
    "chirps": CHIRPS,
    "gpm-imerg": IMERG,
    "prism-monthly": PRISM,
    "daymet": DAYMET,
    "snodas": SNODAS,
    "smap-l3": SMAP,
    "esa-cci-soil-moisture": CCI_SOIL_MOISTURE,
    "nwm-retrospective": WATER_MODEL,
    "glofas": GLOFAS,
    "ghcn-daily": STATIONS,
}
