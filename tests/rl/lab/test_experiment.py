"""The experiments that come with the package: all 34 claims, rules that can decide, arms that are shared."""

from __future__ import annotations

import pytest
import yaml

from microcoder_eval import InputError
from microcoder_rl.lab.experiment import Lab, load_lab
from microcoder_rl.lab.runner import wanted

pytestmark = pytest.mark.fast

INSIGHTS = {"E": 4, "T": 10, "D": 4, "C": 6, "M": 6, "B": 2, "K": 2}
COUNTS = {**INSIGHTS, "P": 8, "A": 5, "O": 16}


@pytest.fixture(scope="module")
def lab() -> Lab:
    return load_lab()


def folder_with(tmp_path, experiment, base=None):
    (tmp_path / "base.yaml").write_text(yaml.safe_dump(base or {"run": {"steps": 2}}))
    (tmp_path / "one.yaml").write_text(yaml.safe_dump(experiment))
    return tmp_path


def test_all_claims_are_listed(lab):
    assert sum(INSIGHTS.values()) == 34
    assert set(lab.claims) == {f"{kind}{number + 1}" for kind, count in COUNTS.items() for number in range(count)}


def test_few_claims_need_a_model(lab):
    assert sum(bool(claim.needs) for _, claim in lab.claims.values()) <= 6


def test_every_arm_is_used_and_every_experiment_has_eight_seeds_or_more(lab):
    for name, config in lab.experiments.items():
        used = {arm for claim in config.claims.values() for check in claim.checks for arm in check.arms}
        assert used == set(config.arms), name
        assert config.seeds >= 8


def test_probes_are_only_checked_in_arms_that_have_them(lab):
    for experiment, claim in lab.claims.values():
        for check in claim.checks:
            for arm in check.arms:
                config = lab.experiments[experiment].arms[arm]
                if check.measure == "robust_to":
                    assert config.probe_temperatures
                if check.measure.startswith(("accepted_", "agree_")):
                    assert config.probe_policies


def test_arms_with_the_same_settings_share_their_runs(lab):
    assert lab.arm("context", "l8").key == lab.arm("mask", "none").key == lab.arm("temperature", "t10").key
    assert lab.arm("mask", "m10").key != lab.arm("mask", "m20").key
    both = wanted(lab, ["C1", "M6"], seeds=8)
    assert len({each.run for each in both}) == len(both) == 5 * 8
    (shared,) = [each for each in both if each.seed == 0 and each.run[0] == lab.arm("context", "l8").key]
    assert shared.claims == ("C1", "M6")


def test_runs_are_ordered_seed_by_seed(lab):
    assert [each.seed for each in wanted(lab, ["C1"], seeds=3)] == [0] * 3 + [1] * 3 + [2] * 3


def test_claims_are_chosen_by_name_and_range(lab):
    assert lab.chosen("M1-M3,c1") == ["M1", "M2", "M3", "C1"]
    assert len(lab.chosen("")) == sum(COUNTS.values())
    with pytest.raises(InputError, match="no claim 'X1'"):
        lab.chosen("X1")


@pytest.mark.parametrize(
    ("experiment", "wrong"),
    [
        ({"title": "t", "varied": "v", "claims": {"X": {"claim": "c"}}}, "either checks"),
        ({"title": "t", "varied": "v", "claims": {}, "arms": {"a": {"recipe": {"rollout": {"groups": 2}}}}}, "groups"),
        ({"title": "t", "varied": "v", "claims": {}, "arms": {"a": {"world": {"hiden": 2}}}}, "hidden"),
        ({"title": "t", "varied": "v", "claims": {}, "arms": {"a": {"refuse": 2}}}, "refuse"),
        (
            {
                "title": "t",
                "varied": "v",
                "claims": {
                    "X": {
                        "claim": "c",
                        "checks": [
                            {
                                "measure": "long",
                                "statistic": "final",
                                "arms": ["nobody"],
                                "predicted": "higher",
                                "margin": 0,
                            }
                        ],
                    }
                },
            },
            "nobody",
        ),
    ],
)
def test_a_mistake_in_an_experiment_is_named(tmp_path, experiment, wrong):
    with pytest.raises(InputError, match=wrong):
        load_lab(folder_with(tmp_path, experiment))


@pytest.mark.parametrize("text", ["", "[]", "a: [", "\x00"])
def test_a_file_that_is_no_experiment_is_refused(tmp_path, text):
    folder_with(tmp_path, {})
    (tmp_path / "one.yaml").write_text(text)
    with pytest.raises(InputError, match=r"one\.yaml"):
        load_lab(tmp_path)
