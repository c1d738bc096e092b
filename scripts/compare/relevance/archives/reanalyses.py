"""Reanalyses of the weather, in the forms of ERA5 and MERRA-2."""

from __future__ import annotations

from compare.relevance.archives.tables import Archive, arrays
from fixtures.documents import Group

WORLD = {"geospatial_lat_min": -90.0, "geospatial_lat_max": 90.0, "geospatial_lon_min": 0.0, "geospatial_lon_max": 359.75}
ECMWF = {"institution": "European Centre for Medium-Range Weather Forecasts", "Conventions": "CF-1.7"}

ERA5: Archive = {
    "": Group(
        {},
        {
            "title": "ERA5 hourly data from 1940 to present",
            "summary": "ERA5 is the fifth generation ECMWF reanalysis for the global climate and weather for the past 8 decades.",
            "keywords": "reanalysis, atmosphere, weather, climate, global, hourly, Copernicus Climate Change Service",
            "time_coverage_start": "1940-01-01",
            "time_coverage_end": "present",
            **WORLD,
            **ECMWF,
        },
    ),
    "single-levels": Group(
        arrays(
            """
            u10 | 10 metre U wind component | eastward_wind | m s**-1
            v10 | 10 metre V wind component | northward_wind | m s**-1
            u100 | 100 metre U wind component | eastward_wind | m s**-1
            v100 | 100 metre V wind component | northward_wind | m s**-1
            i10fg | Instantaneous 10 metre wind gust | | m s**-1
            fg10 | 10 metre wind gust since previous post-processing | wind_speed_of_gust | m s**-1
            d2m | 2 metre dewpoint temperature | | K
            t2m | 2 metre temperature | | K
            mx2t | Maximum 2 metre temperature since previous post-processing | | K
            mn2t | Minimum 2 metre temperature since previous post-processing | | K
            skt | Skin temperature | | K
            sst | Sea surface temperature | | K
            msl | Mean sea level pressure | air_pressure_at_mean_sea_level | Pa
            sp | Surface pressure | surface_air_pressure | Pa
            tp | Total precipitation | | m
            cp | Convective precipitation | | m
            lsp | Large-scale precipitation | | m
            sf | Snowfall | | m of water equivalent
            sd | Snow depth | lwe_thickness_of_surface_snow_amount | m of water equivalent
            e | Evaporation | lwe_thickness_of_water_evaporation_amount | m of water equivalent
            ro | Runoff | | m
            tcc | Total cloud cover | cloud_area_fraction | (0 - 1)
            lcc | Low cloud cover | | (0 - 1)
            hcc | High cloud cover | | (0 - 1)
            cape | Convective available potential energy | | J kg**-1
            blh | Boundary layer height | | m
            tcwv | Total column vertically-integrated water vapour | lwe_thickness_of_atmosphere_mass_content_of_water_vapor | kg m**-2
            ssrd | Surface short-wave (solar) radiation downwards | surface_downwelling_shortwave_flux_in_air | J m**-2
            strd | Surface long-wave (thermal) radiation downwards | | J m**-2
            ssr | Surface net short-wave (solar) radiation | surface_net_downward_shortwave_flux | J m**-2
            slhf | Time-integrated surface latent heat net flux | surface_upward_latent_heat_flux | J m**-2
            sshf | Time-integrated surface sensible heat net flux | surface_upward_sensible_heat_flux | J m**-2
            swvl1 | Volumetric soil water layer 1 | | m**3 m**-3
            stl1 | Soil temperature level 1 | surface_temperature | K
            siconc | Sea ice area fraction | sea_ice_area_fraction | (0 - 1)
            swh | Significant height of combined wind waves and swell | | m
            mwp | Mean wave period | | s
            mwd | Mean wave direction | | degrees
            lsm | Land-sea mask | land_binary_mask | (0 - 1)
            z | Geopotential | geopotential | m**2 s**-2
            """,
            valid_time=745_000,
            latitude=721,
            longitude=1440,
        ),
        {"title": "ERA5 hourly data on single levels"},
    ),
    "pressure-levels": Group(
        arrays(
            """
            z | Geopotential | geopotential | m**2 s**-2
            t | Temperature | air_temperature | K
            u | U component of wind | eastward_wind | m s**-1
            v | V component of wind | northward_wind | m s**-1
            w | Vertical velocity | lagrangian_tendency_of_air_pressure | Pa s**-1
            q | Specific humidity | specific_humidity | kg kg**-1
            r | Relative humidity | relative_humidity | %
            d | Divergence | divergence_of_wind | s**-1
            vo | Vorticity (relative) | atmosphere_relative_vorticity | s**-1
            pv | Potential vorticity | | K m**2 kg**-1 s**-1
            cc | Fraction of cloud cover | | (0 - 1)
            ciwc | Specific cloud ice water content | | kg kg**-1
            clwc | Specific cloud liquid water content | | kg kg**-1
            o3 | Ozone mass mixing ratio | mass_fraction_of_ozone_in_air | kg kg**-1
            """,
            valid_time=745_000,
            pressure_level=37,
            latitude=721,
            longitude=1440,
        ),
        {"title": "ERA5 hourly data on pressure levels"},
    ),
}

ERA5_LAND: Archive = {
    "": Group(
        arrays(
            """
            t2m | 2 metre temperature | | K
            d2m | 2 metre dewpoint temperature | | K
            skt | Skin temperature | | K
            stl1 | Soil temperature level 1 | surface_temperature | K
            stl2 | Soil temperature level 2 | | K
            stl3 | Soil temperature level 3 | | K
            stl4 | Soil temperature level 4 | | K
            swvl1 | Volumetric soil water layer 1 | | m**3 m**-3
            swvl2 | Volumetric soil water layer 2 | | m**3 m**-3
            swvl3 | Volumetric soil water layer 3 | | m**3 m**-3
            swvl4 | Volumetric soil water layer 4 | | m**3 m**-3
            sde | Snow depth | lwe_thickness_of_surface_snow_amount | m
            snowc | Snow cover | | %
            asn | Snow albedo | | (0 - 1)
            rsn | Snow density | | kg m**-3
            tp | Total precipitation | | m
            ro | Runoff | | m
            sro | Surface runoff | | m
            e | Evaporation | lwe_thickness_of_water_evaporation_amount | m of water equivalent
            pev | Potential evaporation | | m
            src | Skin reservoir content | | m of water equivalent
            lai_hv | Leaf area index, high vegetation | | m**2 m**-2
            lai_lv | Leaf area index, low vegetation | | m**2 m**-2
            lmlt | Lake mix-layer temperature | | K
            ssrd | Surface short-wave (solar) radiation downwards | surface_downwelling_shortwave_flux_in_air | J m**-2
            u10 | 10 metre U wind component | | m s**-1
            v10 | 10 metre V wind component | | m s**-1
            sp | Surface pressure | surface_air_pressure | Pa
            """,
            valid_time=660_000,
            latitude=1801,
            longitude=3600,
        ),
        {
            "title": "ERA5-Land hourly data from 1950 to present",
            "summary": "A reanalysis of the evolution of land variables over several decades at an enhanced resolution of 9 km.",
            "keywords": "reanalysis, land surface, hydrology, hourly",
            "time_coverage_start": "1950-01-01",
            **WORLD,
            **ECMWF,
        },
    ),
}

TEMPERATURE_ATLAS: Archive = {
    "": Group(
        arrays("t2m | 2 metre temperature | | K", valid_time=1030, latitude=721, longitude=1440),
        {
            "title": "Monthly mean air temperature near the surface, 1940 to 2025",
            "summary": "Averages of a reanalysis, for maps of the climate.",
            "keywords": "climatology, monthly",
            **WORLD,
            **ECMWF,
        },
    ),
}

MERRA2: Archive = {
    "": Group(
        {},
        {
            "title": "MERRA-2 time-averaged collections",
            "summary": "Modern-Era Retrospective analysis for Research and Applications, version 2.",
            "keywords": "reanalysis, GEOS-5, aerosols",
            "institution": "NASA Global Modeling and Assimilation Office",
            "time_coverage_start": "1980-01-01",
            **WORLD,
        },
    ),
    "M2T1NXSLV": Group(
        arrays(
            """
            T2M | 2-meter_air_temperature | 2-meter_air_temperature | K
            T2MDEW | dew_point_temperature_at_2_m | dew_point_temperature_at_2_m | K
            U10M | 10-meter_eastward_wind | 10-meter_eastward_wind | m s-1
            V10M | 10-meter_northward_wind | 10-meter_northward_wind | m s-1
            U50M | eastward_wind_at_50_meters | eastward_wind_at_50_meters | m s-1
            QV2M | 2-meter_specific_humidity | 2-meter_specific_humidity | kg kg-1
            SLP | sea_level_pressure | sea_level_pressure | Pa
            PS | surface_pressure | surface_pressure | Pa
            TS | surface_skin_temperature | surface_skin_temperature | K
            TQV | total_precipitable_water_vapor | total_precipitable_water_vapor | kg m-2
            TO3 | total_column_ozone | total_column_ozone | Dobsons
            """,
            time=394_000,
            lat=361,
            lon=576,
        ),
        {"title": "MERRA-2 tavg1_2d_slv_Nx: single-level diagnostics"},
    ),
    "M2T1NXAER": Group(
        arrays(
            """
            BCSMASS | Black Carbon Surface Mass Concentration | Black Carbon Surface Mass Concentration | kg m-3
            BCCMASS | Black Carbon Column Mass Density | Black Carbon Column Mass Density | kg m-2
            DUSMASS | Dust Surface Mass Concentration | Dust Surface Mass Concentration | kg m-3
            DUSMASS25 | Dust Surface Mass Concentration - PM 2.5 | Dust Surface Mass Concentration - PM 2.5 | kg m-3
            OCSMASS | Organic Carbon Surface Mass Concentration | Organic Carbon Surface Mass Concentration | kg m-3
            SSSMASS | Sea Salt Surface Mass Concentration | Sea Salt Surface Mass Concentration | kg m-3
            SO4SMASS | SO4 Surface Mass Concentration | SO4 Surface Mass Concentration | kg m-3
            TOTEXTTAU | Total Aerosol Extinction AOT [550 nm] | Total Aerosol Extinction AOT [550 nm] | 1
            TOTANGSTR | Total Aerosol Angstrom parameter [470-870 nm] | Total Aerosol Angstrom parameter [470-870 nm] | 1
            """,
            time=394_000,
            lat=361,
            lon=576,
        ),
        {"title": "MERRA-2 tavg1_2d_aer_Nx: aerosol diagnostics"},
    ),
}

REANALYSES = {"era5": ERA5, "era5-land": ERA5_LAND, "temperature-atlas": TEMPERATURE_ATLAS, "merra2": MERRA2}
