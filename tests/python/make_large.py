"""Writes one sample of about 100 MiB with the reference, to count what opening it costs.

usage: make_large.py FOLDER
"""

import sys

from medh5 import bench

bench.synthetic_sample(sys.argv[1], shape=(256, 512, 400), classes=8, codec="training", name="large.medh5")
