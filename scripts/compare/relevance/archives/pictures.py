"""Pictures of maps: JPEG files that were put into an archive as they are, with the names of what they show."""

from __future__ import annotations

from compare.relevance.archives.tables import Archive
from fixtures.documents import Array, Group

SUBJECTS = ("2 metre temperature", "Sea surface temperature", "Total precipitation", "Significant wave height")


def make_map_pictures() -> Archive:
    """A group for each subject, which its title, the name of the array and its long name state."""
    archive = {}
    for subject in SUBJECTS:
        name = subject.lower().replace(" ", "_")
        codecs = [{"name": "imagecodecs_jpeg8", "configuration": {}}]
        picture = Array("uint8", ("y", "x", "band"), (720, 1440, 3), {"long_name": subject}, members={"codecs": codecs})
        archive[name] = Group({name: picture}, {"title": subject, "comment": "Pictures of the 2 metre temperature and others"})
    return archive


PICTURES = {"map-pictures": make_map_pictures()}
