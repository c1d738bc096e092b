"""Compare what receivers get with what official Icechunk did to the heads."""
