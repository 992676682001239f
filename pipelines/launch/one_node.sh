#!/usr/bin/env bash
# One machine with several GPUs: a rank on each; weights and optimiser are divided among them (FSDP2), and every rank
# samples its part of the replies with an engine of its own.
#
#     bash pipelines/launch/one_node.sh
#     GPUS=4 RECIPE=my.yaml bash pipelines/launch/one_node.sh rollout.max_tokens=4096
#
# Whether it fits: microcoder train plan RECIPE --gpus 8 --gpu-memory 80GB
# Without GPUs it runs too: GPUS=2 RECIPE=pipelines/train/tiny.yaml bash pipelines/launch/one_node.sh
set -euo pipefail

GPUS=${GPUS:-8}
RECIPE=${RECIPE:-pipelines/train/base.yaml}

# --standalone: the ranks meet on this machine, on a free port
exec torchrun --standalone --nproc-per-node "$GPUS" --no-python \
    microcoder train run "$RECIPE" --resume "$@"
