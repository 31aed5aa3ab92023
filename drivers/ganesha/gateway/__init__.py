"""What runs beside a Ganesha: its configuration, its supervision, its exports, its packet filter."""
