"""Sentences on the versions that a state_dict keeps of its modules, and what torch's loader does about old ones."""

from __future__ import annotations

from typing import Final

from viewer.wording import QT_TRANSLATE_NOOP, Words

VERSIONS: Final[dict[str, Words]] = {
    "counter-added": Words(
        QT_TRANSLATE_NOOP("wording", "The counter of batches will be added"),
        QT_TRANSLATE_NOOP(
            "wording",
            "This norm was saved before version 2 and has no num_batches_tracked. load_state_dict adds it, with the value that "
            "the module has, which is 0 for a new one.",
        ),
    ),
    "counter-missing": Words(
        QT_TRANSLATE_NOOP("wording", "The counter of batches is missing"),
        QT_TRANSLATE_NOOP(
            "wording",
            "The versions say that num_batches_tracked is there, so load_state_dict does not add it and reports a missing key.",
        ),
        QT_TRANSLATE_NOOP("wording", "Add the key with torch.tensor(0), or load with strict=False."),
    ),
    "fused-names-moved": Words(
        QT_TRANSLATE_NOOP("wording", "Keys of a fused convolution and norm will be renamed"),
        QT_TRANSLATE_NOOP(
            "wording",
            "Before version 2 these were gamma, beta, running_mean and running_var. load_state_dict puts them below bn.",
        ),
    ),
    "instance-stats-refused": Words(
        QT_TRANSLATE_NOOP("wording", "Running statistics that the module does not keep"),
        QT_TRANSLATE_NOOP(
            "wording",
            "Since torch 0.4 an instance norm keeps none unless it is told to, so load_state_dict refuses these keys.",
        ),
        QT_TRANSLATE_NOOP("wording", "Leave the keys out, or make the module with track_running_stats=True."),
    ),
    "no-versions": Words(
        QT_TRANSLATE_NOOP("wording", "No versions of modules are stored"),
        QT_TRANSLATE_NOOP(
            "wording",
            "The state_dict has no _metadata: it was copied into a plain dict, or is older than torch 0.4. load_state_dict takes "
            "every module for the oldest version and converts what it knows.",
        ),
    ),
    "observer-eps-added": Words(
        QT_TRANSLATE_NOOP("wording", "An observer's eps will be added"),
        QT_TRANSLATE_NOOP("wording", "Observers keep it since version 2. load_state_dict adds it."),
    ),
    "observer-names-moved": Words(
        QT_TRANSLATE_NOOP("wording", "Keys of an observer have old names"),
        QT_TRANSLATE_NOOP(
            "wording", "Before version 3 these were min_vals and max_vals, which load_state_dict still reads."
        ),
    ),
    "quantized-dtype-assumed": Words(
        QT_TRANSLATE_NOOP("wording", "The type of packed weights will be assumed"),
        QT_TRANSLATE_NOOP("wording", "Before version 2 it was not kept. load_state_dict takes qint8."),
    ),
    "quantized-weights-packed": Words(
        QT_TRANSLATE_NOOP("wording", "Weight and bias will be packed"),
        QT_TRANSLATE_NOOP(
            "wording", "Before version 3 they were two keys. load_state_dict makes one packed entry of them."
        ),
    ),
    "spectral-incomplete": Words(
        QT_TRANSLATE_NOOP("wording", "A spectral norm lacks a part"),
        QT_TRANSLATE_NOOP(
            "wording",
            "There is neither {name}_v nor {name}, from which older versions work it out, so load_state_dict reports missing keys.",
        ),
    ),
    "spectral-taken-for-newest": Words(
        QT_TRANSLATE_NOOP("wording", "A spectral norm without version"),
        QT_TRANSLATE_NOOP("wording", "All of its keys are there, so load_state_dict takes it for the newest version."),
    ),
    "spectral-vector-solved": Words(
        QT_TRANSLATE_NOOP("wording", "A vector of a spectral norm will be worked out"),
        QT_TRANSLATE_NOOP(
            "wording", "Version 1 keeps {name}_v in place of {name}. load_state_dict solves for it and drops {name}."
        ),
    ),
    "statistics-unversioned": Words(
        QT_TRANSLATE_NOOP("wording", "Running statistics without version and counter"),
        QT_TRANSLATE_NOOP(
            "wording",
            "A batch norm gets its num_batches_tracked from load_state_dict. An instance norm that keeps no statistics, as "
            "is usual since torch 0.4, refuses them.",
        ),
        QT_TRANSLATE_NOOP("wording", "For an instance norm leave the keys out."),
    ),
    "version-newer": Words(
        QT_TRANSLATE_NOOP("wording", "A newer version than today's"),
        QT_TRANSLATE_NOOP(
            "wording", "Version {stored} is stored and torch {torch} knows version {today}. Nothing is converted."
        ),
    ),
    "weight-norm-renamed": Words(
        QT_TRANSLATE_NOOP("wording", "Keys of a weight norm"),
        QT_TRANSLATE_NOOP(
            "wording",
            "torch.nn.utils.weight_norm takes them as they are. torch.nn.utils.parametrizations.weight_norm renames them to "
            "parametrizations.{name}.original0 and original1.",
        ),
    ),
}
"""What happens by code: title, detail, remedy."""
