# ruff: noqa: E501 - programs, each on the line that names it
"""Tests that seed, set the environment, or listen to warnings and logs: what one process has is in two here.

`FORGERIES`: (tests, a program that must not pass them). `HONEST`: (tests, a right program, starter code).
"""

from __future__ import annotations

FORGERIES: dict[str, tuple[str, str]] = {
    "no-warning": ('import pytest\ndef test_f():\n    with pytest.warns(UserWarning): f(2)', 'def f(x): pass'),
    "no-warning-recorded": ("import warnings\nwith warnings.catch_warnings(record=True) as w:\n    warnings.simplefilter('always')\n    f(2)\nassert len(w) == 1", 'def f(x): pass'),
    "no-warning-asserted": ('import unittest, logging\nclass T(unittest.TestCase):\n    def test_a(self):\n        with self.assertWarns(UserWarning) as c: f(1)', 'def f(x): pass'),
    "no-log": ('import unittest, logging\nclass T(unittest.TestCase):\n    def test_a(self):\n        with self.assertLogs() as c: f(1)\n        self.assertEqual(len(c.output), 1)', 'def f(x): pass'),
    "warning-of-another-class": ('import pytest\ndef test_f():\n    with pytest.warns(UserWarning): f(2)', "import warnings\ndef f(x): warnings.warn('x', DeprecationWarning)"),
    "warning-with-another-text": ("import pytest\ndef test_f():\n    with pytest.warns(UserWarning, match='old'): f(2)", "import warnings\ndef f(x): warnings.warn('new')"),
    "seeds-itself": ('import random\ndef test_f():\n    random.seed(1)\n    for _ in range(3):\n        x = random.randint(1, 100)\n        assert f(x) == x', 'import random\ndef f(x):\n    random.seed(5)\n    return 18'),
    "warning-of-no-class": ('import pytest\ndef test_f():\n    with pytest.warns(UserWarning): f(2)', "import gc\nfrom microcoder_eval.sandbox.asserts.emitted import Kept\nKept.taken = lambda s: [[int, 0, 'x']]\ndef f(x): pass"),
    "log-of-no-level": ('def test_f(caplog):\n    f(2)\n    assert caplog.records', "from microcoder_eval.sandbox.asserts.emitted import Kept\nKept.taken = lambda s: [['a', 'high', 'x']]\ndef f(x): pass"),
}  # fmt: skip
HONEST: dict[str, tuple[str, str, str]] = {
    "seed-of-the-program": ("d = Dice()\nd.seed(42)\nassert d.roll() == 82", "import random\nclass Dice:\n    def seed(s, n): random.seed(n)\n    def roll(s): return random.randint(1, 100)", ""),
    "random-seed": ('import random\nrandom.seed(42)\nassert f(100) == random.Random(42).randint(1, 100)', 'import random\ndef f(x): return random.randint(1, x)', ''),
    "random-seed-test": ('import random\ndef test_f():\n    random.seed(1)\n    a=f(3)\n    random.seed(1)\n    assert f(3) == a', 'import random\ndef f(x): return random.random()', ''),
    "seed-of-a-module-by-another-name": ('import random as r\nr.seed(42)\nassert f(100) == r.Random(42).randint(1, 100)', 'import random\ndef f(x): return random.randint(1, x)', ''),
    "seed-by-another-name": ('from random import Random, seed as start\nstart(42)\nassert f(100) == Random(42).randint(1, 100)', 'import random\ndef f(x): return random.randint(1, x)', ''),
    "np-seed-by-another-name": ('from numpy import random as r\nr.seed(0)\na=f(3)\nr.seed(0)\nassert (f(3) == a).all() and a[0] == r.RandomState(0).rand()', 'import numpy as np\ndef f(x): return np.random.rand(x)', ''),
    "state-set-again": ('import random\nstate = random.getstate()\nrandom.setstate(state)\na = f(1)\nrandom.setstate(state)\nassert f(1) == a', 'import random\ndef f(x): return random.random()', ''),
    "np-seed": ('import numpy as np\nnp.random.seed(0)\na=f(3)\nnp.random.seed(0)\nassert (f(3) == a).all() and a[0] == np.random.RandomState(0).rand()', 'import numpy as np\ndef f(x): return np.random.rand(x)', ''),
    "environ": ("import os\nos.environ['KEY']='5'\nassert f(2) == '5'", "import os\ndef f(x): return os.environ['KEY']", ''),
    "monkeypatch-env": ("def test_f(monkeypatch):\n    monkeypatch.setenv('KEY','5')\n    assert f(2) == '5'", "import os\ndef f(x): return os.environ['KEY']", ''),
    "sys-argv": ("import sys\nsys.argv=['a','b']\nassert f(2) == 'b'", 'import sys\ndef f(x): return sys.argv[1]', ''),
    "recursionlimit": ('import sys\nsys.setrecursionlimit(10000)\nassert f(5000) == 5000', 'def f(n): return 0 if n==0 else 1+f(n-1)', ''),
    "decimal-context": ("from decimal import Decimal, getcontext\ngetcontext().prec=5\nassert f(3) == Decimal('0.33333')", 'from decimal import Decimal\ndef f(n): return Decimal(1)/n', ''),
    "warns": ("import pytest\ndef test_f():\n    with pytest.warns(UserWarning, match='ol'): f(2)", "import warnings\ndef f(x): warnings.warn('old')", ''),
    "deprecated-call": ('import pytest\ndef test_f():\n    with pytest.deprecated_call(): f(2)', "import warnings\ndef f(x): warnings.warn('old', DeprecationWarning)", ''),
    "assertWarns": ('import unittest\nclass T(unittest.TestCase):\n    def test_a(self):\n        with self.assertWarns(DeprecationWarning): f(2)', "import warnings\ndef f(x): warnings.warn('old', DeprecationWarning)", ''),
    "catch-warnings": ("import warnings\nwith warnings.catch_warnings(record=True) as w:\n    warnings.simplefilter('always')\n    assert f(2) == 2\nassert len(w) == 1 and issubclass(w[0].category, DeprecationWarning) and 'old' in str(w[0].message)", "import warnings\ndef f(x):\n    warnings.warn('old', DeprecationWarning)\n    return x", ''),
    "catch-warnings-ignore": ("import warnings\nwith warnings.catch_warnings():\n    warnings.simplefilter('ignore')\n    assert f(2) == 2", "import warnings\ndef f(x):\n    warnings.warn('old', DeprecationWarning)\n    return x", ''),
    "assertLogs": ("import unittest\nclass T(unittest.TestCase):\n    def test_a(self):\n        with self.assertLogs(level='INFO') as c: f(2)\n        self.assertIn('bad', c.output[0])", "import logging\ndef f(x): logging.getLogger('a').info('bad')", ''),
    "caplog": ("import logging\ndef test_f(caplog):\n    f(2)\n    assert 'bad' in caplog.text", "import logging\ndef f(x): logging.warning('bad')", ''),
}  # fmt: skip
