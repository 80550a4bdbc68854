"""Facts about torch's own module classes, as of the version the table names."""

from __future__ import annotations

from viewer import resources
from viewer.core.code.torch_modules import (
    TorchArgument,
    TorchAttribute,
    TorchName,
    Untold,
    machinery,
    missing_attributes,
    torch_class,
    torch_classes,
    torch_modules,
)

CONV1D = "torch.nn.modules.conv.Conv1d"
OLD_CONV = {
    "in_channels",
    "out_channels",
    "kernel_size",
    "stride",
    "padding",
    "dilation",
    "transposed",
    "output_padding",
    "groups",
}


def test_a_linear_layer() -> None:
    linear = torch_classes()["torch.nn.modules.linear.Linear"]
    assert linear.alias == "nn.Linear"
    assert linear.bases == ("torch.nn.modules.module.Module",)
    assert linear.arguments == (
        TorchArgument("in_features", "int", required=True),
        TorchArgument("out_features", "int", required=True),
        TorchArgument("bias", "bool", required=False, default=True),
        TorchArgument("device", None, required=False),
        TorchArgument("dtype", None, required=False),
    )
    assert linear.attributes == {
        "in_features": TorchAttribute("in_features"),
        "out_features": TorchAttribute("out_features"),
    }
    assert (linear.parameters, linear.buffers, linear.children) == (("weight", "bias"), (), {})
    assert (linear.version, linear.built) == (1, True)


def test_an_old_convolution_lacks_padding_mode() -> None:
    assert missing_attributes(CONV1D, OLD_CONV) == {"padding_mode": "zeros"}
    assert missing_attributes("torch.nn.modules.conv.ConvTranspose3d", OLD_CONV) == {"padding_mode": "zeros"}
    assert missing_attributes("torch.nn.modules.conv._ConvNd", OLD_CONV | {"padding_mode"}) == {}


def test_what_is_computed_has_no_default() -> None:
    conv = torch_classes()[CONV1D]
    assert conv.attributes["_reversed_padding_repeated_twice"] == TorchAttribute(derived=True)
    assert conv.attributes["stride"] == TorchAttribute("stride", True, (1,))
    assert conv.attributes["output_padding"] == TorchAttribute(None, True, (0,))
    assert conv.attributes["kernel_size"] == TorchAttribute("kernel_size")
    pool = torch_classes()["torch.nn.modules.pooling.MaxPool2d"]
    assert pool.attributes["stride"] == TorchAttribute("stride")
    cutoffs = torch_classes()["torch.nn.modules.adaptive.AdaptiveLogSoftmaxWithLoss"].attributes["cutoffs"]
    assert cutoffs == TorchAttribute(derived=True)


def test_an_attribute_with_another_name_than_its_argument() -> None:
    distance = torch_classes()["torch.nn.modules.distance.PairwiseDistance"]
    assert distance.attributes["norm"] == TorchAttribute("p", True, 2.0)


def test_attention_of_other_versions() -> None:
    name = "torch.nn.modules.activation.MultiheadAttention"
    assert missing_attributes(name, {"embed_dim", "num_heads", "dropout", "add_zero_attn"}) == {"batch_first": False}
    attention = torch_classes()[name]
    assert attention.children == {"out_proj": "torch.nn.modules.linear.NonDynamicallyQuantizableLinear"}
    assert attention.parameters == (
        "in_proj_weight",
        "q_proj_weight",
        "k_proj_weight",
        "v_proj_weight",
        "in_proj_bias",
    )
    assert attention.attributes["_qkv_same_embed_dim"] == TorchAttribute(derived=True)


def test_batch_normalisation() -> None:
    norm = torch_classes()["torch.nn.modules.batchnorm.BatchNorm2d"]
    assert norm.version == 2
    assert norm.buffers == ("running_mean", "running_var", "num_batches_tracked")
    assert missing_attributes(norm.name, {"num_features", "eps", "momentum", "affine"}) == {"track_running_stats": True}


def test_recurrent_layers_tell_their_real_arguments() -> None:
    lstm = torch_classes()["torch.nn.modules.rnn.LSTM"]
    assert [one.name for one in lstm.arguments if one.required] == ["input_size", "hidden_size"]
    assert "proj_size" in {one.name for one in lstm.arguments}
    assert lstm.attributes["mode"] == TorchAttribute(None, True, "LSTM")
    assert missing_attributes(lstm.name, {"mode", "batch_first", "bias", "bidirectional", "dropout", "num_layers"}) == {
        "proj_size": 0
    }


def test_what_torch_gives_while_loading_is_not_always_its_default() -> None:
    for name in ("Upsample", "UpsamplingBilinear2d", "UpsamplingNearest2d"):
        upsampling = torch_classes()[f"torch.nn.modules.upsampling.{name}"]
        assert upsampling.attributes["recompute_scale_factor"].default is None
        held = set(upsampling.attributes) - {"recompute_scale_factor"}
        assert missing_attributes(upsampling.name, held) == {"recompute_scale_factor": True}


def test_the_mode_of_an_old_rnn_tells_its_nonlinearity() -> None:
    rnn = torch_classes()["torch.nn.modules.rnn.RNN"]
    assert rnn.attributes["nonlinearity"] == TorchAttribute("nonlinearity")
    assert missing_attributes(rnn.name, set(rnn.attributes) - {"nonlinearity"}) == {}


def test_tagged_defaults() -> None:
    layer = torch_classes()["torch.nn.modules.transformer.TransformerEncoderLayer"]
    activation = TorchName("torch.nn.functional.relu")
    assert layer.attributes["activation"] == TorchAttribute("activation", True, activation)
    assert missing_attributes(layer.name, {"norm_first"}) == {"activation": activation}
    observer = torch_classes()["torch.ao.quantization.observer.MinMaxObserver"]
    arguments = {one.name: one.default for one in observer.arguments}
    assert arguments["dtype"] == TorchName("torch.quint8")
    affine = torch_classes()["torch.ao.quantization.observer.AffineQuantizedObserverBase"]
    domain = next(one for one in affine.arguments if one.name == "zero_point_domain")
    assert domain.default == Untold("a ZeroPointDomain")


def test_classes_that_could_not_be_built() -> None:
    parallel = torch_classes()["torch.nn.parallel.distributed.DistributedDataParallel"]
    assert (parallel.built, parallel.attributes, parallel.alias) == (False, {}, "nn.parallel.DistributedDataParallel")
    assert missing_attributes(parallel.name, ()) == {}


def test_names_of_former_versions() -> None:
    attention_output = torch_class("torch.nn.modules.linear._LinearWithBias")
    assert attention_output is torch_classes()["torch.nn.modules.linear.NonDynamicallyQuantizableLinear"]
    quantized = torch_class("torch.nn.quantized.modules.linear.Linear")
    assert quantized is torch_classes()["torch.ao.nn.quantized.modules.linear.Linear"]
    assert torch_class("torch.quantization.stubs.QuantStub") is not None
    assert torch_class("zoo.blocks.Stem") is None
    assert missing_attributes("zoo.blocks.Stem", ()) == {}


def test_what_every_module_has() -> None:
    assert {"training", "_parameters", "_buffers", "_modules", "_backward_hooks", "_backend"} <= machinery()
    assert "_backend" not in torch_modules().machinery
    assert "in_features" not in machinery()


def test_every_public_layer_is_there() -> None:
    classes = torch_classes()
    assert torch_modules().torch == "2.13.0"
    assert {"nn.Sequential", "nn.ModuleList", "nn.Identity", "nn.Flatten", "nn.GELU", "nn.DataParallel"} <= {
        one.alias for one in classes.values()
    }
    unbuilt = [one.name for one in classes.values() if one.name.startswith("torch.nn.modules.") and not one.built]
    assert unbuilt == ["torch.nn.modules.conv._ConvTransposeMixin"]
    assert list(classes) == sorted(classes)
    assert all(base in classes for one in classes.values() for base in one.bases if not base.startswith("torch.ao."))


def test_the_resource_is_small() -> None:
    assert len(resources.read_bytes("torch_modules.json")) < 300_000
