"""Writes samples with the reference that together hold what the format can say: to be written again by us.

usage: make_content.py FOLDER
"""

import sys
from pathlib import Path

import medh5
import numpy as np
from medh5.annotations import Polygon, Polyline
from medh5.annotations.voxel import InstanceInput

SHAPE = (10, 14, 18)
CLASSES = [medh5.LabelClass(i, f"class_{i}", f"Class {i}") for i in (*range(1, 13), 300, 301)]


def block(*spans) -> np.ndarray:
    mask = np.zeros(SHAPE, bool)
    mask[tuple(slice(a, b) for a, b in spans)] = True
    return mask


def start(folder: Path, name: str, **options):
    writer = medh5.create(folder / f"{name}.medh5", sample_id=name, **options)
    writer.label_set(medh5.LabelSet("content", version="1.0", classes=CLASSES))
    writer.add_grid("ct", shape=SHAPE, spacing=(2, 1, 0.5), frame_uid="f0", patch_hint=(4, 8, 8))
    volume = np.arange(np.prod(SHAPE), dtype="i2").reshape(SHAPE)
    writer.add_image("CT", volume, grid="ct", modality="CT", value_type="quantitative", value_units="HU")
    return writer


def overlapping(count: int, first: int = 1) -> dict:
    masks = {first + i: block((0, 6), (0, 8), (i % 3, 9 + i % 5)) for i in range(count)}
    masks[first] = block((7, 9), (9, 12), (12, 16))
    return masks


def encodings(folder: Path) -> None:
    apart = {2: block((0, 3), (0, 3), (0, 3)), 1: block((5, 9), (5, 9), (5, 9))}
    ignore = block((0, 2), (10, 13), (15, 18))
    cases = {
        "auto-labelmap": dict(masks=apart),
        "auto-layers": dict(masks=overlapping(4)),
        "auto-bits": dict(masks=overlapping(10)),
        "wide-labelmap": dict(masks={300: apart[1], 301: apart[2]}),
        "wide-layers": dict(masks=overlapping(2, first=300)),
        "labelmap-ignore": dict(masks=apart, ignore=ignore),
        "layers-ignore": dict(masks=overlapping(3), ignore=ignore),
        "bits": dict(masks=apart, encoding="bitmask"),
        "layers-of-one": dict(masks=apart, encoding="layers"),
        "instances": dict(masks=apart, encoding="instances"),
        "certain": dict(masks=apart, encoding="probmap"),
        "partial": dict(masks=overlapping(3), annotated_classes=[2], ignore=ignore),
        "empty-class": dict(masks={1: apart[1], 2: np.zeros(SHAPE, bool)}),
    }
    for name, options in cases.items():
        with start(folder, f"encoding-{name}") as writer:
            writer.add_segmentation("organs", grid="ct", **options)
            writer.commit()
    soft = np.linspace(0, 1, int(np.prod(SHAPE))).reshape(SHAPE)
    with start(folder, "encoding-soft") as writer:
        writer.add_segmentation("soft", grid="ct", probabilities={1: soft, 2: 1 - soft}, threshold=0.25)
        writer.commit()
    with start(folder, "encoding-objects") as writer:
        objects = [
            InstanceInput(1, 7, mask=apart[1], score=0.5),
            InstanceInput(2, 9, mask=apart[2], score=0.25),
        ]
        writer.add_segmentation("objects", grid="ct", instances=objects)
        writer.add_mask("fov", block((1, 9), (1, 13), (1, 17)), grid="ct")
        writer.commit()


def places(folder: Path) -> None:
    with start(folder, "places") as writer:
        boxes = [[[0.5, 3.5], [1, 2], [3, 4]], [[2, 2], [0, 5], [1, 6]]]
        writer.add_boxes(
            "boxes", boxes, [1, 2], grid="ct", scores=[0.5, 1], instance_ids=[3, 2**33],
            attributes=[{"a": 1}, {}], slice_index=[-1, 2],
        )
        writer.add_boxes("none", np.zeros((0, 3, 2)), [], grid="ct", annotated_classes=[4])
        writer.add_boxes("world", [[[0, 4]] * 3], [3], space="world", frame_uid="f0")
        turned = [[[0, -1, 0], [1, 0, 0], [0, 0, 1]]]
        writer.add_obb("obb", [[1, 2, 3]], [[1, 2, 3]], turned, [1], grid="ct", scores=[0.5])
        writer.add_keypoints("keys", np.ones((2, 2, 3)), [1, 2], [3, 4], grid="ct", visibility=[[1, 2], [0, 0]])
        writer.add_points(
            "points", [[1, 2, 3.5], [4, 5, 6]], grid="ct", class_ids=[1, 2], names=["a", "b"],
            weights=[1, 2], instance_ids=[7, 8],
        )
        writer.add_points("bare", [[1, 2, 3.5]], grid="ct")
        square = np.array([[2, 1, 1], [2, 1, 9], [2, 9, 9], [2, 9, 1]], float)
        hole = np.array([[2, 3, 3], [2, 3, 5], [2, 5, 5]], float)
        writer.add_contours(
            "contours",
            [Polygon(square, 1, plane=(0, 2)), Polygon(hole, 1, plane=(0, 2), role="hole"), Polygon(square, 2)],
            grid="ct",
        )
        points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
        writer.add_mesh(
            "mesh", points, [[0, 1, 2], [0, 1, 3]], frame_uid="f0", normals=np.ones((4, 3)),
            mesh_offsets=[0, 1, 2], mesh_class_ids=[1, 2], vertex_class_ids=[1, 1, 2, 2],
        )
        writer.commit()
    with start(folder, "curves") as writer:
        line = np.array([[1, 1, 1], [2, 2, 2], [3, 3, 4]], float)
        writer.add_polylines("path", [Polyline(class_id=1, vertices=line), Polyline(class_id=2, vertices=line[:2])], grid="ct", instance_ids=[4, 5])
        writer.add_polylines("flat", [Polyline(class_id=1, vertices=line[:, :], plane=(0, 1))], grid="ct")
        writer.commit()


def wholes(folder: Path) -> None:
    with start(folder, "wholes") as writer:
        agent = writer.software("seg", "1.0")
        activity = writer.activity("predict", agent=agent, tool="seg", params={"k": [1, 2.5], "small": 1e-7})
        writer.add_classification("simple", {1: 1.0, 2: 0.0, 3: 0.25}, prov=activity, quality={"status": "approved"})
        writer.add_classification(
            "staged", {1: 1.0, 2: 0.5}, scope="slice", scope_ids=[3, 4],
            schemes=["BI-RADS", "mRS"], scheme_values=["4b", "2"], closure="implicit",
        )
        writer.add_classification("single", [(3, 1.0)], multilabel=False, derived_from=["simple"])
        writer.cohort(dataset_id="d", site_id="Zürich")
        writer.deidentification(method="m", date_shift_days=-3)
        writer.extra("org.example", {"a": [None, True, 1.5]})
        writer.commit()


def geometry(folder: Path) -> None:
    with medh5.create(folder / "geometry.medh5", sample_id="geometry", codec="portable") as writer:
        writer.add_timepoint("tp0", label="first", days_from_baseline=0)
        writer.add_timepoint("tp1", label="second", days_from_baseline=91.5)
        oblique = np.array([[1, 0, 0], [0, 0.8, -0.6], [0, 0.6, 0.8]])
        writer.add_grid("a", shape=(6, 8, 8), spacing=(2, 1, 1), timepoint="tp0", frame_uid="fa", direction=oblique, origin=(1, -2, 3.25), coord_system="RAS")
        writer.add_grid("b", shape=(3, 6, 8, 8), spacing=(2, 1, 1), timepoint="tp1", frame_uid="fb", axis_names=["t", "z", "y", "x"], axis_kinds=["time", "spatial", "spatial", "spatial"], time_values=[0, 1, 2.5], time_units="ms", chunk_hint=(1, 3, 8, 8))
        writer.add_grid("rgb", shape=(3, 16, 16), spacing=(1, 1), timepoint="tp1", axis_names=["c", "y", "x"], axis_kinds=["channel", "spatial", "spatial"], units="px")
        writer.add_image("A", np.zeros((6, 8, 8), "f4"), grid="a", modality="MR", window_center=[40, 50], window_width=[400, 80], rescale_slope=2.0, rescale_intercept=-1)
        writer.add_image("B", np.ones((3, 6, 8, 8), "u1"), grid="b", modality="MR")
        writer.add_image("RGB", np.ones((3, 16, 16), "u1"), grid="rgb", modality="OT", value_type="rgb", channel_names=["R", "G", "B"])
        writer.add_transform("ab", kind="affine", from_frame="fa", to_frame="fb", matrix=np.eye(4), inverse_id="ba", invertible=True, metrics={"status": "draft"})
        writer.add_transform("ba", kind="affine", from_frame="fb", to_frame="fa", matrix=np.eye(4), inverse_id="ab")
        writer.add_grid("c", shape=(4, 4, 4), spacing=(3, 3, 3), timepoint="tp1", frame_uid="fc")
        writer.add_transform("bc", kind="identity", from_frame="fb", to_frame="fc")
        writer.add_transform("ac", kind="composite", from_frame="fa", to_frame="fc", components=["ab", "bc"])
        writer.add_transform("field", kind="displacement", from_frame="fa", to_frame="fc", field=np.zeros((3, 6, 8, 8)), field_grid="a", from_grid="a", interpolation="cubic", extrapolation="nearest", field_dtype="float16")
        writer.add_transform("spline", kind="bspline", from_frame="fc", to_frame="fa", control_points=np.ones((3, 4, 4, 4)), cp_grid="c", vector_space="index", order=1)
        writer.commit()


folder = Path(sys.argv[1])
encodings(folder)
places(folder)
wholes(folder)
geometry(folder)
