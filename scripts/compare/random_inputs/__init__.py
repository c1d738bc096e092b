"""What is compared: random groups, and random histories that official Icechunk writes."""
