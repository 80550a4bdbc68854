"""Source texts that the sample of a whole model keeps, as torch of 2019 stored them beside each class.

Written for this project: the user's classes in full, torch's own in a few lines each with its way of speaking.
"""

from __future__ import annotations

from typing import Final

TRAIN_FILE: Final = "train.py"
BLOCKS_FILE: Final = "/home/ada/digits/zoo/blocks.py"
TORCH_FOLDER: Final = "/home/ada/miniconda3/envs/digits/lib/python3.7/site-packages/torch/nn/modules/"

THE_MODEL_CLASS: Final = '''\
class TheModelClass(nn.Module):
    """Tells handwritten digits apart: a stem, two residual blocks, one linear layer.

    Pictures come as [batch, 1, 28, 28], scaled to 0..1. The result is one score a class.
    """

    def __init__(self, classes=10, width=8):
        super(TheModelClass, self).__init__()
        self.conv = Stem(1, width)
        self.blocks = nn.Sequential(
            ResidualBlock(width),
            ResidualBlock(width, scale=0.5),
        )
        self.drop = nn.Dropout(p=0.25)
        self.fc = nn.Linear(width * 7 * 7, classes)
        self.labels = [str(digit) for digit in range(classes)]

    def features(self, x):
        x = self.conv(x)
        return self.blocks(x)

    def forward(self, x):
        x = self.features(x)
        x = x.view(x.size(0), -1)
        x = self.drop(x)
        return self.fc(x)

    def predict(self, x):
        """The most likely digit of each picture, as text."""
        with torch.no_grad():
            best = self.forward(x).argmax(dim=1)
        return [self.labels[index] for index in best.tolist()]
'''

STEM: Final = '''\
class Stem(nn.Module):
    """First layer: a wide convolution, then a pool that keeps the strongest of 4 x 4."""

    def __init__(self, channels, width):
        super(Stem, self).__init__()
        self.conv = nn.Conv2d(channels, width, 5, padding=2)
        self.pool = nn.MaxPool2d(4)
        self.reset_parameters()

    def reset_parameters(self):
        nn.init.kaiming_normal_(self.conv.weight, nonlinearity='relu')
        nn.init.constant_(self.conv.bias, 0.0)

    def forward(self, x):
        x = F.relu(self.conv(x))
        return self.pool(x)
'''

RESIDUAL_BLOCK: Final = '''\
class ResidualBlock(nn.Module):
    """Adds what a small convolution finds to what came in.

    scale: how much of the finding is added; smaller values make deep stacks calmer.
    """

    def __init__(self, width, scale=1.0):
        super(ResidualBlock, self).__init__()
        self.conv = nn.Conv2d(width, width, 3, padding=1)
        self.act = nn.ReLU()
        self.scale = scale
        self.reset_parameters()

    def reset_parameters(self):
        nn.init.kaiming_normal_(self.conv.weight, nonlinearity='relu')
        nn.init.constant_(self.conv.bias, 0.0)

    def forward(self, x):
        found = self.act(self.conv(x))
        return x + self.scale * found

    def extra_repr(self):
        return 'scale={}'.format(self.scale)
'''

CONV2D: Final = '''\
class Conv2d(_ConvNd):
    r"""A convolution over pictures of several planes.

    Args:
        in_channels (int): planes that come in
        out_channels (int): planes that go out
        kernel_size (int or tuple): size of the window
        stride (int or tuple, optional): step of the window. Default: 1
        padding (int or tuple, optional): zeros added on both sides. Default: 0

    Shape:
        - Input: :math:`(N, C_{in}, H_{in}, W_{in})`
        - Output: :math:`(N, C_{out}, H_{out}, W_{out})`
    """
    def __init__(self, in_channels, out_channels, kernel_size, stride=1,
                 padding=0, dilation=1, groups=1,
                 bias=True, padding_mode='zeros'):
        kernel_size = _pair(kernel_size)
        stride = _pair(stride)
        padding = _pair(padding)
        dilation = _pair(dilation)
        super(Conv2d, self).__init__(
            in_channels, out_channels, kernel_size, stride, padding, dilation,
            False, _pair(0), groups, bias, padding_mode)

    @weak_script_method
    def forward(self, input):
        return F.conv2d(input, self.weight, self.bias, self.stride,
                        self.padding, self.dilation, self.groups)
'''

MAX_POOL2D: Final = '''\
class MaxPool2d(_MaxPoolNd):
    r"""The largest value of each window.

    Args:
        kernel_size: size of the window
        stride: step of the window. Default: :attr:`kernel_size`
    """

    @weak_script_method
    def forward(self, input):
        return F.max_pool2d(input, self.kernel_size, self.stride,
                            self.padding, self.dilation, self.ceil_mode,
                            self.return_indices)
'''

RELU: Final = '''\
class ReLU(Module):
    r"""Keeps what is positive: :math:`\\text{ReLU}(x) = \\max(0, x)`"""
    __constants__ = ['inplace']

    def __init__(self, inplace=False):
        super(ReLU, self).__init__()
        self.inplace = inplace

    @weak_script_method
    def forward(self, input):
        return F.relu(input, inplace=self.inplace)

    def extra_repr(self):
        return 'inplace' if self.inplace else ''
'''

SEQUENTIAL: Final = '''\
class Sequential(Module):
    r"""Modules in a row: each gets what the one before it gave."""

    def __init__(self, *args):
        super(Sequential, self).__init__()
        if len(args) == 1 and isinstance(args[0], OrderedDict):
            for key, module in args[0].items():
                self.add_module(key, module)
        else:
            for idx, module in enumerate(args):
                self.add_module(str(idx), module)

    def __len__(self):
        return len(self._modules)

    def forward(self, input):
        for module in self._modules.values():
            input = module(input)
        return input
'''

DROPOUT: Final = '''\
class Dropout(_DropoutNd):
    r"""While training, sets each element to zero with probability :attr:`p`."""

    @weak_script_method
    def forward(self, input):
        return F.dropout(input, self.p, self.training, self.inplace)
'''

LINEAR: Final = '''\
class Linear(Module):
    r"""A linear map of the last axis: :math:`y = xA^T + b`

    Args:
        in_features: size of each input sample
        out_features: size of each output sample
        bias: if False, nothing is added. Default: ``True``
    """
    __constants__ = ['bias']

    def __init__(self, in_features, out_features, bias=True):
        super(Linear, self).__init__()
        self.in_features = in_features
        self.out_features = out_features
        self.weight = Parameter(torch.Tensor(out_features, in_features))
        if bias:
            self.bias = Parameter(torch.Tensor(out_features))
        else:
            self.register_parameter('bias', None)
        self.reset_parameters()

    def reset_parameters(self):
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            fan_in, _ = init._calculate_fan_in_and_fan_out(self.weight)
            bound = 1 / math.sqrt(fan_in)
            init.uniform_(self.bias, -bound, bound)

    @weak_script_method
    def forward(self, input):
        return F.linear(input, self.weight, self.bias)
'''
