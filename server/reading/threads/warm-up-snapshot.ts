import type { SnapshotId } from '@floe/storage/icechunk'

/** A snapshot of the test repository `weather`, with the group `forecast`. Official Icechunk wrote it. */
export const warmUpSnapshot = {
  id: '1YFNG5HJNBH6TRCMZBM0' as SnapshotId, // the id in the bytes below
  group: 'forecast',
  /** The object in base64. */
  object: `
    SUNF8J+nikNIVU5LaWMtMi4zLjAgICAgICAgICAgICAgICAgAgEBKLUv/WDALyVWALpurBc/UGxNBwGimzkITCkFtYbuR2U9KgnBiBNbwVka9bcss8nu
    OLI3kXe5NQwcwF1pPI+PNuHXiG2ztFQxhoplNyEpUQFkAZEBKSZmc8TEzEnzYtTy4ZnxcLxpNrfWpbrLsVi8RDKHTlWb5rstV2+5cZm2Zuaq0ZI0Q/m+
    RbsvRsvxTHN6MXHsFwbs+tnzosKNh/ziF+SZanS1kTfnd+wMq+gV2uBIXFWyEg/LEcVlGB2tHU2u7lAxN7OhltjU5ehb0VtGomgWjlxb87tvEascXa8Q
    m2eaTV2mmDTDZGfW8s7GwL5Snfnd65mFqS5Ha/dF1xPvkXjT0VobHM28T5IsXYflOIrxNK+jGScvv+Y4Zi0PCJYlZq21vBk2OOLiHaqjtTwe/7qzfx2R
    /3/634mg8hDAyy+TliC4/+8d0KTf9fh/8v0TuPovwPZPNedfAdp/g6t/+/Z/1faP5eG/gvmfheL/CbzTlSDlomXi2v1vEfnfovH/VmuamlyiIjFdCGBc
    kfr/qbdv9VU/9Vff+//dZ/0U2bAc8f9WAU+JqOyMIYQ7Ur4o8iQlBe6d0ZrUW+9rIP4TpPW+luEfCkrva8A1sTWstao1KzFgWJeXlg2OLlA0gyBH35av
    vEJSHTlWhUJNmubd8gG1rD3Tu0kzo7esw4lNou2y/Fq784a98rtxkYg5ufMF/nia3/53u10dGusWFeeaCWGFEPxH5UaqFDoiHHmgpEpOSu+IelOBel+U
    Pi3Sgfv6f6z/r+p9kRAWWcc1L1fHrU+8T7LMvIhRvYvXTDF6y6DPZ38+LS+fFrDL12VxmWbVqnvVw5HndEU5z+h4s5lisS8gT/OBf52V7sihD21ISEiB
    wQIh4T+ZgwtvLeT6fwS4BLrPWR6uG2TQ8BRN6b2QiP8qKr2refm3aO9qVv6pxHpXe9LL9a4GBQCRd/p/XO9qOv7f9/+65/9ve1fr8f9nvLGN1fRuTuLz
    bs1Vs7v3xaZORy8bHPklbi0k9747zlSbK8/8ouOY6qwGPKu6mNvznyNkXQjA2hS1lQJJGx0DVkoPblpwTELgFIeJj97f2vRY/D/U9x5q6qFi8K1TMF2F
    f50GP2wkOYnx54AXIQrSUKDTpUYdEz+CjNxO9N6G9tb7W5SbJgDvxlbj/y+4tT0YmCUud/QMqgNkMixju/RCqysse3xRKAWp1AhC75UgtWVoE6GhjcWY
    ms74Al6OYtMUy9X5z6WJyNLjIIwICLUGkYYc0CIgRhuJp+EPt0dxdO+Sevy/gN4r5dn900/9Uw9FpUD/MNSLSRXjfWJTp/WvE6uTE0g5QvSFjIsjKf+q
    ma7aBrlg93MRIshvJVmJGOnyQ8fWO9uh/wFYvbMJcnrr5djw5GD8v4be2fz8aWJgFzB3SUel0RYzcrhcAGvTiM8nMJOyaFgkFBmOClqS3h2hDfjqPVLU
    /4Fd75Gc/gP46R3SpkgPiQ0SIkiMMIiJqLBhtEFTDzkmkiiKyy4toj3JhtYLtXjIrVBbFOmqiZfkuZhLvIvjiXti7PLiV6PCQP+6QlTmAHGj5kwePQH/
    //+/xOp5Wxw8b01XdKb3U797+7zc2aWE6XTAdC07swPJ0m38P1bnUOL/i//f5P/b/D+jf9zXP46H5kvEULip3mu45pXaesjX+/8D/nFTUc/VXIbDTHMJ
    e80NBHqaB5s1LPc1YX+muYFrh9fNbXDUmDhugYGRkWeay1tUSTPvcyyzMG9cxnVuvYW5uIJqkfPhaG2Z4o2FeF+rXmtiVcXbtFun+LQb2yCuqSVqM73b
    3nKvWh3RIvHq+IBHqGlG9ZCs1HyF3deqVgVOzj8uDUeoRRVAZfacMTSk6gP81Pf+6a0+6gX0vmksrnqfHVi0sD7fun+/rZ8WiA4pLkt1BxSbmmjRm+p8
    4g1itMHM38v/oz2cLRv2jzdk0KFcj/D/6i4JQP1TmNdPLMwLSG594xLJTMQqmeY3/zk/uTY/b7wgCJGByc0brwcUg+YQxCDI4k5WWtT/rtf7W9q/jOKK
    y3KCBahim5ZSTilEMyIjkiSNAcIJIIbiQBKkWnEfEuCiMAnElEJKEUIEhBBDRAKRQERERCRIkCZ1AH5AfK/HQh4zY19Y8BIH/rnTwqQWWE8uJ+8VRcb2
    OxYc2BmldMIKQrN5q+lyHRD/2XYEB4QPz49DOoBDfRq9Hiva5qVui7hPBJ8etPRP96vvLnsx+QcfSKesQgYTmowh+hl2FL0WhIzAgUSGzmJHO31c7o70
    Gcpz92X2W/m5HswgkD+oUR0jpETkEKRYd07iD6aoi1ScBEGON9cbWaqu6++WI0JRCrFXoeDfuYTOlluYtkqZ6EsAL6kuTiemSQ8TCPPqzKBARFCYeYaE
    9eONEPZme50CPJA7+ViOwNDVoQRgLcW9xrZsxfCKNunjsDYzTbvvCkiOs5SwQgpLiax+ZvYfFR5JKl0uJr0tooODuXQ2ULoseZXzqNS+8jJVqfjwx4lp
    OcRpGA1dQOYDE/XKH4e10dqMru4DjpAUaJbu+m63zXhLwW6iwa6sDrQDxlQ4L0/L9s7tqxB4ecyiOlsROYY+fTIlQOhdauMUvjePPTUI8EWcZ/9lkYNw
    SZZWnwvv8BKNQjBg7iegaE0n0/PGr7XhqII0NrcH/qmBHbhSgOxzb5Z9lho7Uz4IsLu7Ezcsp4oZEGU2oNhMZqt1rllQCZtZux+cMcgM83xr8HmtObO4
    cxSNH1yv33xeJzPcFfU24BCumTFKN7P9Xj5ObI0hHV4V8K6zMrKQyrgj42ycV+PAo/XKHNBD5gIJ6GzX3HLGuIdAZxVzeBdGJFkaTVOKbRhoLOUW8puw
    D5Mb0+t/pGqFZM4g6u+VLUQul/QWDxZ7NBXkN720uN/E5E5TngqFpyjkqTBjRUUKM8KQBAFlexaFTMvAAZ/8TNAIIQYL4WUDg/CaGq+eg+aNvaVNkZP1
    GMn+XBPPkzWYea7vTNCNt5mmKw3F3D5kp29jMGQ/Fe36VGX8QxQOnNpLgHeY4iTqDwLGnQ8gtn8udyCeo4gjF/4TAl3dEvNartgMi6myXOYEwCeSV8s0
    EckxrgOqYlJIlIEI9Nkxy6DjpfGHQhIEYZjXooeSUDqMw8Dz0881SLraL4gZ67Ua1V0Y38MGhNGIRuAfnA9mx2b8iZ+odNTcIcioWwmEGjGP6ih9lJTQ
    bYBCmxQTNRADPQrZMabQviKNt4cSr9LIHektkiroxM9UIst8yj1+C1HVAvfL9xmTRrtG+gTLAN1U4BX3bT4cpMlKt4kAeLPndY4D49YnYLSqwFSz4Q94
    mbM7qTvMoBmfnvQBrGOATNNj7ct7WQ1UsgLrLlwGu5p9C9fZn1S5xMfRG+pqmOhvZ8spSTAfkFRgAMmJ/ybXmcZQvg2gtyk+4OM+jXev/F5RznuH34Nc
    3DAWWK1kpWXrkTu0YLjjmmBezoPrcOam+awbqDBA+HWfTyDs7cz9bgG8s7qaTU+k8pbVOywGyTA7Rk5BqD2pdnH8R0CCt7Hii5uEdpZMWf4Hpp+4vuGY
    KludYKoTT+rXlLRvfSUJBR9q8OgksodmVrrm0PZgC+amatMw3ynrXxrmyRlo1iSdj89JJ4btFYsXIdIqKLOzyzSercbYS4WzvfE+FiQtUh8nqihbWRlT
    nTGR5O43Zqn3E09Kuq2dCbb0LKUV
  `,
} as const
