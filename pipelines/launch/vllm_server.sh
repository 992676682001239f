#!/usr/bin/env bash
# Sampling on GPUs of its own: half of a machine trains, the other half serves vLLM, and the next step's replies are
# sampled while the current one is trained. New weights go from GPU to GPU (NCCL).
#
#     bash pipelines/launch/vllm_server.sh
#     TRAIN=0,1 SERVE=2,3 RECIPE=my.yaml bash pipelines/launch/vllm_server.sh run.steps=100
#
# The trainer starts the server, replaces it when it dies, and ends it. A server that runs on another machine already
# is named with vllm.url=http://host:8000 instead of vllm.devices; docs/training.md says how it is started.
set -euo pipefail

TRAIN=${TRAIN:-0,1,2,3}
SERVE=${SERVE:-4,5,6,7}
RECIPE=${RECIPE:-pipelines/train/base.yaml}
count() { tr ',' '\n' <<< "$1" | grep -c .; }

CUDA_VISIBLE_DEVICES=$TRAIN exec torchrun --standalone --nproc-per-node "$(count "$TRAIN")" --no-python \
    microcoder train run "$RECIPE" --resume rollout.engine=vllm-server rollout.ahead=true \
    "vllm.devices=$SERVE" "vllm.tensor_parallel=$(count "$SERVE")" vllm.memory_share=0.9 "$@"
