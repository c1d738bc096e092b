"""Images and products of satellites over land, in the forms of Sentinel, Landsat and MODIS."""

from __future__ import annotations

from compare.relevance.archives.tables import Archive, arrays
from fixtures.documents import Group


def reflectance(bands: str) -> str:
    """The table of some bands: each line has a band, its colour and its wavelength in nm."""
    lines = (line.split("|") for line in filter(None, map(str.strip, bands.splitlines())))
    return "\n".join(
        f"{name} | BOA reflectance, {colour.strip()} ({wavelength.strip()} nm) | surface_bidirectional_reflectance | 1"
        for name, colour, wavelength in lines
    )


SENTINEL_2: Archive = {
    "": Group(
        {},
        {
            "title": "Sentinel-2 MSI Level-2A, surface reflectance",
            "summary": "Atmospherically corrected images of land surfaces in 13 spectral bands, at 10, 20 and 60 m.",
            "keywords": "satellite imagery, multispectral, optical, Copernicus",
            "stac_discovery": {
                "type": "Feature",
                "id": "S2B_MSIL2A_20260113T103309_N0511_R108_T32TLQ_20260113T122458",
                "bbox": [6.46, 44.13, 7.85, 45.14],
                "properties": {"datetime": "2026-01-13T10:33:09.024Z", "platform": "sentinel-2b", "proj:epsg": 32632},
            },
        },
    ),
    "measurements/reflectance/r10m": Group(
        arrays(
            reflectance("""
                b02 | blue | 492
                b03 | green | 560
                b04 | red | 665
                b08 | near infrared | 833
            """),
            "uint16",
            y=10_980,
            x=10_980,
        ),
    ),
    "measurements/reflectance/r20m": Group(
        arrays(
            reflectance("""
                b01 | coastal aerosol | 443
                b02 | blue | 492
                b03 | green | 560
                b04 | red | 665
                b05 | red edge 1 | 704
                b06 | red edge 2 | 740
                b07 | red edge 3 | 783
                b8a | narrow near infrared | 865
                b11 | short-wave infrared 1 | 1614
                b12 | short-wave infrared 2 | 2202
            """),
            "uint16",
            y=5_490,
            x=5_490,
        ),
    ),
    "measurements/reflectance/r60m": Group(
        arrays(
            reflectance("""
                b01 | coastal aerosol | 443
                b02 | blue | 492
                b04 | red | 665
                b09 | water vapour | 945
            """),
            "uint16",
            y=1_830,
            x=1_830,
        ),
    ),
    "conditions/mask/l2a_classification/r20m": Group(
        arrays("scl | Scene classification layer | | 1", "uint8", y=5_490, x=5_490),
    ),
    "quality/probability/r20m": Group(
        arrays(
            """
            cld | cloud probability | | %
            snw | snow probability | | %
            """,
            "uint8",
            y=5_490,
            x=5_490,
        ),
    ),
}

SENTINEL_1: Archive = {
    "": Group(
        arrays(
            """
            vv | Backscatter intensity, VV polarisation | | 1
            vh | Backscatter intensity, VH polarisation | | 1
            """,
            y=20_000,
            x=26_000,
        ),
        {
            "title": "Sentinel-1 GRD, radiometrically terrain corrected",
            "keywords": "SAR, radar, C-band, Copernicus",
            "stac_discovery": {"bbox": [5.1, 43.0, 9.0, 45.4], "properties": {"datetime": "2026-01-14T05:35:00Z"}},
        },
    ),
}

LANDSAT: Archive = {
    "": Group(
        arrays(
            """
            coastal | Coastal Aerosol Band (B1) | | 1
            blue | Blue Band (B2) | | 1
            green | Green Band (B3) | | 1
            red | Red Band (B4) | | 1
            nir08 | Near Infrared Band 0.8 (B5) | | 1
            swir16 | Short-wave Infrared Band 1.6 (B6) | | 1
            swir22 | Short-wave Infrared Band 2.2 (B7) | | 1
            lwir11 | Surface Temperature Band (B10) | surface_temperature | kelvin
            qa_pixel | Pixel Quality Assessment Band | | 1
            qa_aerosol | Aerosol Quality Assessment Band | | 1
            """,
            "uint16",
            time=400,
            y=7_800,
            x=7_700,
        ),
        {
            "title": "Landsat 8-9 OLI/TIRS Collection 2 Level-2",
            "summary": "Surface reflectance and surface temperature at 30 m.",
            "keywords": "satellite imagery, multispectral, USGS",
        },
    ),
}

MODIS_CLOUD: Archive = {
    "": Group(
        arrays(
            """
            Cloud_Mask | MODIS cloud mask | | 1
            Quality_Assurance | Quality assurance for the cloud mask | | 1
            Solar_Zenith | Solar zenith angle, cell to sun | solar_zenith_angle | degrees
            """,
            "int8",
            time=288,
            Cell_Along_Swath=2030,
            Cell_Across_Swath=1354,
        ),
        {"title": "MODIS/Terra Cloud Mask and Spectral Test Results 5-Min L2 Swath 250m and 1km", "keywords": "clouds, swath"},
    ),
}

MODIS_VEGETATION: Archive = {
    "": Group(
        arrays(
            """
            NDVI | 1 km 16 days NDVI | | 1
            EVI | 1 km 16 days EVI | | 1
            VI_Quality | 1 km 16 days VI Quality | | 1
            composite_day | 1 km 16 days composite day of the year | | 1
            """,
            "int16",
            time=580,
            y=1200,
            x=1200,
        ),
        {
            "title": "MODIS/Terra Vegetation Indices 16-Day L3 Global 1km SIN Grid",
            "summary": "Normalized Difference Vegetation Index (NDVI) and Enhanced Vegetation Index (EVI).",
        },
    ),
}

WORLDCOVER: Archive = {
    "": Group(
        arrays(
            """
            map | land cover class | land_cover_lccs | 1
            input_quality | number of valid observations | | 1
            """,
            "uint8",
            y=36_000,
            x=36_000,
        ),
        {"title": "ESA WorldCover 10 m 2021 v200", "keywords": "land use, trees, cropland, built-up"},
    ),
}

COPERNICUS_DEM: Archive = {
    "": Group(
        arrays("elevation | Elevation of the surface, with buildings | surface_altitude | m", latitude=3_600, longitude=3_600),
        {"title": "Copernicus GLO-30 Digital Elevation Model", "keywords": "DEM, DSM, topography, terrain"},
    ),
}

TROPOMI: Archive = {
    "": Group(
        arrays(
            """
            nitrogendioxide_tropospheric_column | Tropospheric vertical column of nitrogen dioxide | | mol m-2
            nitrogendioxide_tropospheric_column_precision | Precision of the tropospheric vertical column of nitrogen dioxide | | mol m-2
            qa_value | data quality value | | 1
            """,
            time=14,
            scanline=4_172,
            ground_pixel=450,
        ),
        {"title": "TROPOMI/S5P NO2 5-minutes L2 Swath 5.5x3.5km", "institution": "KNMI", "keywords": "air quality, trace gases"},
    ),
}

SATELLITES = {
    "sentinel-2-l2a": SENTINEL_2,
    "sentinel-1-grd": SENTINEL_1,
    "landsat-c2-l2": LANDSAT,
    "modis-cloud-mask": MODIS_CLOUD,
    "modis-vegetation-indices": MODIS_VEGETATION,
    "esa-worldcover": WORLDCOVER,
    "copernicus-dem-30m": COPERNICUS_DEM,
    "tropomi-no2": TROPOMI,
}
