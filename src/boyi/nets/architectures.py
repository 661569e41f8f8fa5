"""The nets, as PyTorch modules. `build(game, config)` makes one; start at `ResidualNet`.

Every module maps planes [B, C, H, W] (float32) to a dictionary of outputs from the view of the player whose side the
planes show:

    policy     [B, num_actions]  logits, illegal actions not masked
    wdl        [B, 3]            logits of winning, drawing and losing

and, of a residual net's auxiliary outputs, those that its configuration names:

    ownership  [B, H, W]         tanh of it: 1 a square that is finally the mover's, -1 the other side's, 0 empty
    score      [B]               the final margin for the mover, as a share of the squares
    line       [B, H, W]         logits: the square is part of the line that wins the game
    reply      [B, num_actions]  logits of the other side's next move

A module remembers its `config` and the `observer` whose planes it takes.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional

from boyi.games.game import Game
from boyi.nets.config import BadNet, NetConfig

Outputs = dict[str, Tensor]
NO_DRAW = -12.0
"""The logit of a draw from a net that knows only a scalar value: less than one in 100,000."""
NO_STONE = -20.0
"""The logit of an action that a thesis net has no output for: a stone that may not move."""


class Net(nn.Module):
    """What all nets share: their configuration and their observer."""

    def __init__(self, game: Game, config: NetConfig) -> None:
        super().__init__()
        self.config = config
        self.observer = config.observer_for(game)
        self.num_planes = game.observers[self.observer]


def build(game: Game, config: NetConfig) -> Net:
    """A net for a game with fresh weights; PyTorch's random generator decides them."""
    makers: dict[str, type[Net]] = {
        "residual": ResidualNet,
        "paper001": Paper001Net,
        "thesis1": ThesisNet,
        "thesis2": ThesisNet,
        "mlp": MlpNet,
    }
    return makers[config.kind](game, config)


def pooled(x: Tensor) -> Tensor:
    """Mean and maximum of every channel over the board: [B, C, H, W] -> [B, 2C, 1, 1]."""
    return torch.cat([functional.adaptive_avg_pool2d(x, 1), functional.adaptive_max_pool2d(x, 1)], 1)


class ConvNorm(nn.Module):
    """A convolution that keeps the size, and batch normalisation, which export folds into it."""

    def __init__(self, inputs: int, outputs: int, size: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, size, padding=size // 2, bias=False)
        self.norm = nn.BatchNorm2d(outputs)

    def forward(self, x: Tensor) -> Tensor:
        return self.norm(self.conv(x))  # type: ignore[no-any-return]


class Block(nn.Module):
    """A residual block (He et al. 2016), normalised after each convolution so that nothing remains of it at play.

    With `pools`, the mean and maximum of every channel over the board go through a small layer and are added to every
    square between the two convolutions: KataGo's global pooling (Wu 2019), which sees the whole board at once.
    """

    def __init__(self, channels: int, *, pools: bool) -> None:
        super().__init__()
        self.first = ConvNorm(channels, channels, 3)
        self.second = ConvNorm(channels, channels, 3)
        self.pool = nn.Conv2d(2 * channels, channels, 1) if pools else None
        nn.init.zeros_(self.second.norm.weight)  # a fresh block passes its input on

    def forward(self, x: Tensor) -> Tensor:
        y = functional.relu(self.first(x))
        if self.pool is not None:
            y = y + self.pool(pooled(y))
        return functional.relu(x + self.second(y))


class ResidualNet(Net):
    """A tower of residual blocks, every second one with global pooling, and heads that fit any board size.

    The policy head has as many planes as the game has actions a square; actions beyond the squares, such as Othello's
    pass, come from the pooled board. Where the actions are the columns of the board, as in Connect Four, the mean of a
    column is its logit. The value head is a small perceptron over the pooled board.
    """

    def __init__(self, game: Game, config: NetConfig) -> None:
        super().__init__(game, config)
        channels = config.channels
        self.stem = ConvNorm(self.num_planes, channels, 3)
        self.blocks = nn.Sequential(*(Block(channels, pools=index % 2 == 1) for index in range(config.blocks)))
        head = min(channels, 32)
        self.policy = ActionHead(game, channels, head)
        self.value = nn.Sequential(ConvNorm(channels, head, 1), nn.ReLU())
        self.hidden = nn.Linear(2 * head, config.hidden)
        self.wdl = nn.Linear(config.hidden, 3)
        extra = config.auxiliary
        self.maps = nn.ModuleDict({name: nn.Conv2d(channels, 1, 1) for name in ("ownership", "line") if name in extra})
        self.score = nn.Linear(config.hidden, 1) if "score" in extra else None
        self.reply = ActionHead(game, channels, head) if "reply" in extra else None

    def forward(self, planes: Tensor) -> Outputs:
        x = self.blocks(functional.relu(self.stem(planes)))
        hidden = functional.relu(self.hidden(pooled(self.value(x)).flatten(1)))
        found = {"policy": self.policy(x), "wdl": self.wdl(hidden)}
        for name, layer in self.maps.items():
            found[name] = layer(x).squeeze(1)
        if self.score is not None:
            found["score"] = self.score(hidden).squeeze(1)
        if self.reply is not None:
            found["reply"] = self.reply(x)
        return found


class ActionHead(nn.Module):
    """Features [B, C, H, W] to logits [B, num_actions], whatever the size of the board."""

    def __init__(self, game: Game, channels: int, width: int) -> None:
        super().__init__()
        per_square, others = divmod(game.num_actions, game.num_squares)
        self.columns = per_square == 0 and game.num_actions == game.shape[1]
        if per_square == 0 and not self.columns:
            raise BadNet(
                f"a residual net needs actions that are squares or columns; {game.name} has {game.num_actions} actions "
                f"on {game.num_squares} squares: use kind='mlp'"
            )
        self.features = nn.Sequential(ConvNorm(channels, width, 1), nn.ReLU())
        self.squares = nn.Conv2d(width, max(per_square, 1), 1)
        self.others = nn.Linear(2 * width, others) if others and not self.columns else None

    def forward(self, x: Tensor) -> Tensor:
        x = self.features(x)
        if self.columns:
            return self.squares(x).mean(2).flatten(1)  # type: ignore[no-any-return]
        logits = self.squares(x).permute(0, 2, 3, 1).flatten(1)
        if self.others is not None:
            logits = torch.cat([logits, self.others(pooled(x).flatten(1))], 1)
        return logits  # type: ignore[no-any-return]


class Paper001Net(Net):
    """The net of documents 001 and 004: convolutions of 3x3 with 32, 64 and 128 filters, and two heads.

    As in the documents: ReLU, size kept; the policy head reduces by a convolution and ends in a fully connected layer,
    the value head in a fully connected layer of 64 units and one unit with tanh. Document 004 has four planes, document
    001 two; `observer` chooses. Document 001 also tried a further layer of 128 filters: `more_layers`. Decided here,
    because the documents are silent: the heads' convolutions are 1x1 with 4 and 2 filters, as in the public Gomoku
    program that document 001 says it follows; Othello's pass is one more output; a further layer is 3x3 and the last.
    The scalar value v = tanh(x) appears as `value` [B], for the documents' squared error, and as wdl logits
    (x, NO_DRAW, -x), whose probabilities of winning less losing are v.
    """

    def __init__(self, game: Game, config: NetConfig) -> None:
        super().__init__(game, config)
        self.body = nn.Sequential(
            nn.Conv2d(self.num_planes, 32, 3, padding=1),
            nn.ReLU(),
            nn.Conv2d(32, 64, 3, padding=1),
            nn.ReLU(),
            nn.Conv2d(64, 128, 3, padding=1),
            nn.ReLU(),
            *(layer for _ in range(config.more_layers) for layer in (nn.Conv2d(128, 128, 3, padding=1), nn.ReLU())),
        )
        squares = game.num_squares
        self.policy = nn.Sequential(
            nn.Conv2d(128, 4, 1), nn.ReLU(), nn.Flatten(), nn.Linear(4 * squares, game.num_actions)
        )
        self.value = nn.Sequential(
            nn.Conv2d(128, 2, 1), nn.ReLU(), nn.Flatten(), nn.Linear(2 * squares, 64), nn.ReLU(), nn.Linear(64, 1)
        )

    def forward(self, planes: Tensor) -> Outputs:
        x = self.body(planes)
        value = self.value(x)
        wdl = torch.cat([value, torch.full_like(value, NO_DRAW), -value], 1)
        return {"policy": self.policy(x), "wdl": wdl, "value": torch.tanh(value).squeeze(1)}


class SameConv(nn.Conv2d):
    """A convolution that keeps the board's size, with the odd row and column of zeros below and to the right."""

    def __init__(self, inputs: int, outputs: int, size: int) -> None:
        super().__init__(inputs, outputs, size, padding=size // 2)
        self.dropped = 1 - size % 2

    def forward(self, x: Tensor) -> Tensor:
        return super().forward(x)[..., self.dropped :, self.dropped :]


class ThesisNet(Net):
    """The nets of document 000, for EinStein: thesis1 is its net I, thesis2 its net II-N with N = `channels`.

    As in the document: I convolves 2x2 with 6 and 3x3 with 22 filters, II-N 2x2 with N, 3x3 with 2N and 4x4 with 4N;
    stride 1, zeros around so that the size stays 5x5, ReLU; a fully connected layer, dropout, and 6 linear outputs: for
    the first and the second movable stone horizontal, vertical, diagonal. The planes are its `sim` or `ori`.
    Decided here: the fully connected layer has `hidden` units with ReLU, dropout keeps half, the odd row and column of
    zeros lie below and to the right (as in TensorFlow, which the document used), the first stone is the one with the
    lower number. Outputs become actions by the planes themselves: they tell which stones may move and whose they are.
    The document's nets know no value: wdl is undecided for every position, and nothing of it can be learnt. The outputs
    themselves are `six` [B, 6].
    """

    def __init__(self, game: Game, config: NetConfig) -> None:
        super().__init__(game, config)
        if self.observer not in ("sim", "ori"):
            raise BadNet(
                f"the nets of document 000 see a game through the observers 'sim' or 'ori', not {self.observer!r}: "
                "they are for einstein"
            )
        n = config.channels
        filters = (6, 22) if config.kind == "thesis1" else (n, 2 * n, 4 * n)
        layers: list[nn.Module] = []
        before = self.num_planes
        for size, count in zip((2, 3, 4), filters, strict=False):
            layers += [SameConv(before, count, size), nn.ReLU()]
            before = count
        self.body = nn.Sequential(*layers, nn.Flatten())
        self.dense = nn.Sequential(nn.Linear(before * game.num_squares, config.hidden), nn.ReLU(), nn.Dropout(0.5))
        self.outputs = nn.Linear(config.hidden, 6)

    def forward(self, planes: Tensor) -> Outputs:
        six = self.outputs(self.dense(self.body(planes)))
        even = torch.zeros_like(six[:, :1])
        wdl = torch.cat([even, torch.full_like(even, NO_DRAW), even], 1)
        return {"policy": self.actions(planes, six), "wdl": wdl, "six": six}

    def actions(self, planes: Tensor, six: Tensor) -> Tensor:
        """The outputs [B, 6] as logits [B, 75] of actions 3 * square + direction in the mover's view.

        Stones are numbered as in `ori`: Blue 1..6, Red 7..12. Blue's board is turned by half a circle.
        """
        if self.observer == "ori":
            flat = planes[:, 0].flatten(1)
            movable, number = (flat < 0).to(planes.dtype), flat.abs()
        else:
            numbers = torch.arange(1, 13, dtype=planes.dtype, device=planes.device)
            movable = planes[:, 12].flatten(1)
            number = (planes[:, :12].flatten(2) * numbers[:, None]).sum(1)
        lowest = (number + 99 * (1 - movable)).amin(1, keepdim=True)
        first = movable * (number == lowest).to(planes.dtype)
        second = movable - first
        logits = first[:, :, None] * six[:, None, :3] + second[:, :, None] * six[:, None, 3:]
        logits = logits + NO_STONE * (1 - movable)[:, :, None]
        red = (movable * number).amax(1)[:, None, None] > 6.5
        turned = torch.arange(24, -1, -1, device=planes.device)
        return torch.where(red, logits, logits[:, turned]).flatten(1)


class MlpNet(Net):
    """A perceptron of `blocks` layers with `hidden` units, for boards as small as tic-tac-toe's."""

    def __init__(self, game: Game, config: NetConfig) -> None:
        super().__init__(game, config)
        layers: list[nn.Module] = [nn.Flatten()]
        before = self.num_planes * game.num_squares
        for _ in range(config.blocks):
            layers += [nn.Linear(before, config.hidden), nn.ReLU()]
            before = config.hidden
        self.body = nn.Sequential(*layers)
        self.policy = nn.Linear(before, game.num_actions)
        self.wdl = nn.Linear(before, 3)

    def forward(self, planes: Tensor) -> Outputs:
        x = self.body(planes)
        return {"policy": self.policy(x), "wdl": self.wdl(x)}
