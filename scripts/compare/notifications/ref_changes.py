"""Changes branches and tags at random with official Icechunk, one operation at a time."""

from __future__ import annotations

from pathlib import Path
from random import Random

import icechunk

from compare.random_inputs.node_changes import RandomNodeChanges

# Version 1 has no slashes in names.
BRANCHES = ("dev", "dev-2", "rc-1", "rc-2", "scratch")
DEEP_BRANCHES = ("dev/x", "release/1", "release/2/fix")


class RandomRefChanges(RandomNodeChanges):
    """A repository whose branches and tags come, move and go."""

    def __init__(self, directory: Path, spec_version: int, random: Random) -> None:
        super().__init__(directory, spec_version, random)
        self.tags: list[str] = []
        self.made_tags = 0

    def change(self) -> None:
        """Do one operation that changes a branch or tag."""
        operations = [
            *[self._change_nodes] * 8,
            *[self._create_branch] * 3,
            self._delete_branch,
            self._delete_branch,
            self._reset_branch,
            self._create_tag,
            self._create_tag,
            self._delete_tag,
        ]
        while not self.random.choice(operations)():
            pass

    def migrate(self) -> None:
        """Change the repository to version 2."""
        self.repository = icechunk.upgrade_icechunk_repository(
            self.repository, dry_run=False, delete_unused_v1_files=False
        )
        self.spec_version = 2
        self._forget_unreached()
        self.steps.append("migrated")

    def _change_nodes(self) -> bool:
        branch = self.random.choice(self.branches)
        before = len(self.snapshots)
        if self.spec_version == 2 and self.random.random() < 0.3:
            self._commit_moves(branch)
        else:
            self._commit_changes(branch)
        return len(self.snapshots) > before

    def _create_branch(self) -> bool:
        names = BRANCHES if self.spec_version == 1 else BRANCHES + DEEP_BRANCHES
        free = [name for name in names if name not in self.branches]
        if not free:
            return False
        name = self.random.choice(free)
        # Heads are more usual than commits below them.
        heads = [self.repository.lookup_branch(branch) for branch in self.branches]
        at = self.random.choice([*heads, *heads, self.random.choice(self.snapshots)])
        self.repository.create_branch(name, at)
        self.branches.append(name)
        self.steps.append(f"{name} created at {at}")
        return True

    def _delete_branch(self) -> bool:
        if len(self.branches) < 3:
            return False
        name = self.random.choice(self.branches[1:])
        self.repository.delete_branch(name)
        self.branches.remove(name)
        self.steps.append(f"{name} deleted")
        return True

    def _reset_branch(self) -> bool:
        name = self.random.choice(self.branches)
        at = self.random.choice(self.snapshots)
        if self.repository.lookup_branch(name) == at:
            return False
        self.repository.reset_branch(name, at)
        self.steps.append(f"{name} reset to {at}")
        return True

    def _create_tag(self) -> bool:
        # The name of a deleted tag cannot be used again.
        self.made_tags += 1
        name = f"v{self.made_tags}"
        at = self.random.choice(self.snapshots)
        self.repository.create_tag(name, at)
        self.tags.append(name)
        self.steps.append(f"tag {name} created at {at}")
        return True

    def _delete_tag(self) -> bool:
        if not self.tags:
            return False
        name = self.random.choice(self.tags)
        self.repository.delete_tag(name)
        self.tags.remove(name)
        self.steps.append(f"tag {name} deleted")
        return True
