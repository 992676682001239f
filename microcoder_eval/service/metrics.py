"""What `/metrics` shows, in Prometheus' text format. Each service has its own registry: a process may hold several."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, InfoMetricFamily

from microcoder_eval.scheduling.pool import PoolState
from microcoder_eval.verdict import Grade

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600)


class Metrics:
    """The counters that the application and the desk write."""

    def __init__(self, state: Callable[[], PoolState], waiting: Callable[[], int], running: Callable[[], int]) -> None:
        self.registry = CollectorRegistry()
        self._state, self._waiting, self._running = state, waiting, running
        self._gradings = Counter(
            "microcoder_gradings", "Gradings that ended, by verdict", ["verdict"], registry=self.registry
        )
        self._refusals = Counter(
            "microcoder_refusals", "Requests without an answer, by kind", ["kind"], registry=self.registry
        )
        self._phases = Histogram(
            "microcoder_phase_seconds",
            "Time by phase: read (the body), wait (in the queue), grade (in the grader)",
            ["phase"],
            buckets=SECONDS,
            registry=self.registry,
        )
        self._programs = Counter(
            "microcoder_program_cpu_seconds", "CPU time of the programs that were graded", registry=self.registry
        )
        self._requests = Counter(
            "microcoder_requests", "Requests, by call and status", ["call", "status"], registry=self.registry
        )
        self.registry.register(self)

    def took(self, phase: str, seconds: float) -> None:
        """Count the time of a phase: read, wait or grade."""
        self._phases.labels(phase).observe(seconds)

    def graded(self, grade: Grade) -> None:
        """Count a grading."""
        self._gradings.labels(grade.verdict.value).inc()
        self._programs.inc(sum(test.cpu_ms for test in grade.tests) / 1000)

    def ran(self, verdict: str, cpu_s: float) -> None:
        """Count a plain run."""
        self._gradings.labels(verdict).inc()
        self._programs.inc(cpu_s)

    def refused(self, kind: str) -> None:
        """Count a refusal."""
        self._refusals.labels(kind).inc()

    def answered(self, call: str, status: int) -> None:
        """Count a response."""
        self._requests.labels(call, str(status)).inc()

    def collect(self) -> Iterator[GaugeMetricFamily | InfoMetricFamily]:
        """The present state of the grader. The registry calls this for every page."""
        state = self._state()
        now = {
            "queue_length": ("Gradings that wait", self._waiting()),
            "gradings_running": ("Gradings in the grader", self._running()),
            "workers": ("Worker processes", state.workers),
            "workers_ready": ("Workers that have started", state.ready),
            "workers_busy": ("Workers that run a program", state.busy),
            "worker_restarts": ("Workers that were replaced since the start", state.restarts),
        }
        for name, (text, value) in now.items():
            yield GaugeMetricFamily(f"microcoder_{name}", text, value=value)
        layers = GaugeMetricFamily("microcoder_sandbox_layer", "Layers of the sandbox that hold", labels=["layer"])
        for layer in state.layers:
            layers.add_metric([layer], 1)
        yield layers

    def page(self) -> bytes:
        return generate_latest(self.registry)
