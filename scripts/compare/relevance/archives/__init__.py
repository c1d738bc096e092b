"""The repositories that are searched: made up, with the names, variables and attributes of well-known archives."""

from __future__ import annotations

from compare.relevance.archives.climate_models import CLIMATE_MODELS
from compare.relevance.archives.forecasts import FORECASTS
from compare.relevance.archives.oceans import OCEANS
from compare.relevance.archives.pictures import PICTURES
from compare.relevance.archives.reanalyses import REANALYSES
from compare.relevance.archives.satellites import SATELLITES
from compare.relevance.archives.sea_ice import SEA_ICE_ARCHIVES
from compare.relevance.archives.tables import Archive
from compare.relevance.archives.water import WATER

ARCHIVES: dict[str, Archive] = {
    **REANALYSES,
    **CLIMATE_MODELS,
    **FORECASTS,
    **OCEANS,
    **SEA_ICE_ARCHIVES,
    **SATELLITES,
    **WATER,
    **PICTURES,
}
"""All of them, by the name of the repository."""
