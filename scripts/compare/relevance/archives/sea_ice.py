"""Sea ice, in the forms of the climate data record of NSIDC and of CryoSat-2."""

from __future__ import annotations

from compare.relevance.archives.tables import Archive, arrays
from fixtures.documents import Group

SEA_ICE: Archive = {
    "north": Group(
        arrays(
            """
            cdr_seaice_conc | Passive microwave sea ice concentration, climate data record | sea_ice_area_fraction | 1
            stdev_of_cdr_seaice_conc | Standard deviation of the sea ice concentration | | 1
            """,
            time=17_000,
            y=448,
            x=304,
        ),
        {
            "title": "NOAA/NSIDC Climate Data Record of Passive Microwave Sea Ice Concentration, Northern Hemisphere",
            "institution": "National Snow and Ice Data Center",
        },
    ),
}

ARCTIC_ICE: Archive = {
    "": Group(
        arrays(
            """
            sea_ice_thickness | thickness of the sea ice layer | sea_ice_thickness | m
            radar_freeboard | radar freeboard above local sea level | | m
            snow_depth | thickness of the snow layer | surface_snow_thickness | m
            """,
            time=170,
            yc=432,
            xc=432,
        ),
        {"title": "Arctic sea ice from CryoSat-2 altimetry, monthly grids", "institution": "Alfred Wegener Institute"},
    ),
}

SEA_ICE_ARCHIVES = {"nsidc-sea-ice": SEA_ICE, "cryosat-arctic": ARCTIC_ICE}
