"""In: the engine's registry. Out: the parameters of Recommender as IDEs and type checkers see them.

Written by python/make_parameters.py; do not edit. A parameter that is None takes the engine's
default, which stands beside it.
"""

from __future__ import annotations

from typing import Literal, Optional, Union

from ._keywords import known_keywords
from ._params import Parameters

EncoderName = Union[Literal["mf", "lightgcn"], str]
LossName = Union[
    Literal["bc", "softmax", "sl-at-k", "psl", "bpr", "bce", "ccl", "warp", "ips-cn", "cause", "sam-reg", "macr", "most-pop"],
    str,
]
OptimizerName = Union[Literal["adam"], str]
SamplesName = Union[Literal["interaction", "user"], str]
ScoreName = Union[Literal["auto", "cosine", "dot"], str]
CandidatesName = Union[Literal["all", "test"], str]
GoalName = Union[Literal["logged", "balanced", "both"], str]
MarginName = Union[Literal["angle", "sigmoid", "constant"], str]
MarginShapeName = Union[Literal["capped", "monotone"], str]
ExtractorName = Union[Literal["auto", "classes", "sampled"], str]
SurrogateName = Union[Literal["relu", "atan", "tanh"], str]
ControlTableName = Union[Literal["graph", "plain"], str]
FormatName = Union[Literal["auto", "jsonl", "inter", "adjacency", "delimited"], str]
HeaderName = Union[Literal["auto", "yes", "no"], str]
OnBadRowName = Union[Literal["error", "skip"], str]
SplitName = Union[Literal["random", "balanced", "temporal", "leave-one-out", "none"], str]


class RecommenderParameters(Parameters):
    """The parameters; `Recommender` is what is made with them."""

    encoder: Optional[EncoderName]
    start_from: Optional[str]
    loss: Optional[LossName]
    optimizer: Optional[OptimizerName]
    dim: Optional[int]
    negatives: Optional[Union[int, str]]
    shared_negatives: Optional[bool]
    tile: Optional[int]
    samples: Optional[SamplesName]
    score: Optional[ScoreName]
    batch: Optional[int]
    accumulate: Optional[int]
    l2: Optional[float]
    validation: Optional[float]
    refit: Optional[bool]
    epochs: Optional[int]
    lr_decay: Optional[float]
    average: Optional[int]
    eval_every: Optional[int]
    validation_users: Optional[Union[int, str]]
    evaluation_users: Optional[Union[int, str]]
    candidates: Optional[CandidatesName]
    goal: Optional[GoalName]
    debias: Optional[Union[float, str]]
    patience: Optional[int]
    name: Optional[str]
    random_state: Optional[int]
    num_threads: Optional[int]
    checkpoint_seconds: Optional[float]
    layers: Optional[int]
    half_width: Optional[bool]
    tau: Optional[float]
    negative_weight: Optional[float]
    margin: Optional[MarginName]
    margin_strength: Optional[float]
    margin_shape: Optional[MarginShapeName]
    tau_extractor: Optional[float]
    extractor: Optional[ExtractorName]
    extractor_epochs: Optional[int]
    top_k: Optional[int]
    tau_weight: Optional[float]
    threshold_epochs: Optional[int]
    threshold_negatives: Optional[int]
    surrogate: Optional[SurrogateName]
    ccl_weight: Optional[float]
    ccl_margin: Optional[float]
    cf_pen: Optional[float]
    control_table: Optional[ControlTableName]
    reg_weight: Optional[float]
    sam_share: Optional[float]
    macr_alpha: Optional[float]
    macr_beta: Optional[float]
    macr_c: Optional[float]
    lr: Optional[float]
    format: Optional[FormatName]
    user_column: Optional[str]
    item_column: Optional[str]
    rating_column: Optional[str]
    time_column: Optional[str]
    min_rating: Optional[float]
    separator: Optional[str]
    header: Optional[HeaderName]
    on_bad_row: Optional[OnBadRowName]
    k_core: Optional[int]
    split: Optional[SplitName]
    weight_column: Optional[str]
    half_life: Optional[str]

    @known_keywords
    def __init__(
        self,
        *,
        encoder: Optional[EncoderName] = None,  # mf
        start_from: Optional[str] = None,  # none
        loss: Optional[LossName] = None,  # bc
        optimizer: Optional[OptimizerName] = None,  # adam
        dim: Optional[int] = None,  # 64
        negatives: Optional[Union[int, str]] = None,  # auto
        shared_negatives: Optional[bool] = None,  # False
        tile: Optional[int] = None,  # 64
        samples: Optional[SamplesName] = None,  # interaction
        score: Optional[ScoreName] = None,  # auto
        batch: Optional[int] = None,  # 2048
        accumulate: Optional[int] = None,  # 1
        l2: Optional[float] = None,  # 1e-05
        validation: Optional[float] = None,  # 0.1
        refit: Optional[bool] = None,  # False
        epochs: Optional[int] = None,  # 300
        lr_decay: Optional[float] = None,  # 1.0
        average: Optional[int] = None,  # 1
        eval_every: Optional[int] = None,  # 0
        validation_users: Optional[Union[int, str]] = None,  # auto
        evaluation_users: Optional[Union[int, str]] = None,  # auto
        candidates: Optional[CandidatesName] = None,  # all
        goal: Optional[GoalName] = None,  # logged
        debias: Optional[Union[float, str]] = None,  # auto
        patience: Optional[int] = None,  # 10
        name: Optional[str] = None,  # none
        random_state: Optional[int] = None,  # 1
        num_threads: Optional[int] = None,  # 0
        checkpoint_seconds: Optional[float] = None,  # 30.0
        layers: Optional[int] = None,  # 2
        half_width: Optional[bool] = None,  # False
        tau: Optional[float] = None,  # 0.1
        negative_weight: Optional[float] = None,  # 0.0
        margin: Optional[MarginName] = None,  # sigmoid
        margin_strength: Optional[float] = None,  # 0.3
        margin_shape: Optional[MarginShapeName] = None,  # capped
        tau_extractor: Optional[float] = None,  # 0.1
        extractor: Optional[ExtractorName] = None,  # auto
        extractor_epochs: Optional[int] = None,  # 5
        top_k: Optional[int] = None,  # 20
        tau_weight: Optional[float] = None,  # 1.0
        threshold_epochs: Optional[int] = None,  # 5
        threshold_negatives: Optional[int] = None,  # 1000
        surrogate: Optional[SurrogateName] = None,  # relu
        ccl_weight: Optional[float] = None,  # 128.0
        ccl_margin: Optional[float] = None,  # 0.4
        cf_pen: Optional[float] = None,  # 0.01
        control_table: Optional[ControlTableName] = None,  # graph
        reg_weight: Optional[float] = None,  # 0.05
        sam_share: Optional[float] = None,  # 0.0
        macr_alpha: Optional[float] = None,  # 0.001
        macr_beta: Optional[float] = None,  # 0.001
        macr_c: Optional[float] = None,  # -1.0
        lr: Optional[float] = None,  # 0.001
        format: Optional[FormatName] = None,  # auto
        user_column: Optional[str] = None,  # none
        item_column: Optional[str] = None,  # none
        rating_column: Optional[str] = None,  # none
        time_column: Optional[str] = None,  # none
        min_rating: Optional[float] = None,  # none
        separator: Optional[str] = None,  # auto
        header: Optional[HeaderName] = None,  # auto
        on_bad_row: Optional[OnBadRowName] = None,  # error
        k_core: Optional[int] = None,  # 0
        split: Optional[SplitName] = None,  # random
        weight_column: Optional[str] = None,  # none
        half_life: Optional[str] = None,  # none
    ) -> None:
        """Every option of `evenkeel train`.

        Parameters
        ----------
        encoder : str, default 'mf', one of mf, lightgcn
            how users and items become vectors
        start_from : str, default ''
            run to start from: its rows by id, new ids folded in
        loss : str, default 'bc', one of bc, softmax, sl-at-k, psl, bpr, bce, ccl, warp, ips-cn,
            cause, sam-reg, macr, most-pop
            what training minimises (unless it or an option of margins is given, softmax for --goal
            logged)
        optimizer : str, default 'adam', one of adam
            how gradients move the tables
        dim : int, default 64
            length of the vectors
        negatives : str, default 'auto'
            negatives for each positive: a number, in-batch or all (auto: shared ones, 512 for
            --goal logged and 1024 for the others, where the loss takes many; else the loss's
            default)
        shared_negatives : bool, default False
            a tile of samples shares one draw of negatives: much faster
        tile : int, default 64
            samples in a tile of shared negatives
        samples : str, default 'interaction', one of interaction, user
            what an epoch goes through
        score : str, default 'auto', one of auto, cosine, dot
            ranking score (auto: the loss's own similarity)
        batch : int, default 2048
            positives in a step (unless given, fewer where an epoch would have under 16 steps)
        accumulate : int, default 1
            batches of a step, each with its own in-batch negatives: LightGCN propagates once for
            all of them
        l2 : float, default 1e-05
            L2 coefficient on the rows of a batch
        validation : float, default 0.1
            share held out for validation where there is no validation part: of the log with --split
            random, else of train
        refit : bool, default False
            choose the epoch on validation, then train on everything for as many epochs
        epochs : int, default 300
            the most epochs
        lr_decay : float, default 1.0
            factor on the learning rate whenever half of --patience validations brought no gain (1:
            constant)
        average : int, default 1
            validations over which the vectors that rank are averaged (1: those of the epoch itself)
        eval_every : int, default 0
            epochs between two validations (0: as many as make 50 steps, at least 1)
        validation_users : str, default 'auto'
            users that a validation during training ranks: a number, all, or auto (all, but at least
            10000 of them where ranking all costs more than a tenth of the training in between)
        evaluation_users : str, default 'auto'
            users of a part that the figures of the result rank: a number, all, or auto (all, but a
            sample of at least 10000 where users x items is above 34 billion)
        candidates : str, default 'all', one of all, test
            items that a test ranks: all, or test, only those that occur in the test (a fully
            observed block, as in KuaiRec)
        goal : str, default 'logged', one of logged, balanced, both
            what the best epoch and the correction are chosen by, on validation: more of what the
            log shows, items wanted alike, or both
        debias : str, default 'auto'
            strength of the popularity correction in rankings: a number, 0 as logged, 1 the log's
            popularity taken out; auto: the goal's choice on validation (with --goal logged: 0
            unless auto is asked for)
        patience : int, default 10
            validations without gain before training stops (unless given, 5 where a loss has a
            temperature and --goal is logged)
        name : str, default ''
            what reports and fronts call the run, instead of its loss and options
        random_state : int, default 1
            random seed
        num_threads : int, default 0
            threads to use (0: all cores this process may use)
        checkpoint_seconds : float, default 30.0
            seconds between checkpoints (0: every epoch, -1: never)
        layers : int, default 2
            graph layers of LightGCN
        half_width : bool, default False
            sums over neighbours read bf16 copies of rows: faster, coarser
        tau : float, default 0.1
            temperature of the softmax (unless given, from 0.25 for some ten thousand pairs to 0.12
            for 400,000 and more)
        negative_weight : float, default 0.0
            weight of the negatives, the positive then left out of the softmax's sum (0: the usual
            softmax)
        margin : str, default 'sigmoid', one of angle, sigmoid, constant
            how popularity becomes a margin
        margin_strength : float, default 0.3
            lambda, the factor on the margin (the paper: 1; sl-at-k: 0)
        margin_shape : str, default 'capped', one of capped, monotone
            capped: held at -1 past pi (the paper); monotone: straight down from pi/2
        tau_extractor : float, default 0.1
            temperature of the popularity bias extractor
        extractor : str, default 'auto', one of auto, classes, sampled
            how the popularity bias extractor learns: from class counts or from samples (auto:
            sampled where --extractor-epochs is given, classes otherwise)
        extractor_epochs : int, default 5
            epochs of the sampled extractor
        top_k : int, default 20
            K, the length of the list that counts
        tau_weight : float, default 1.0
            temperature of a pair's weight (the authors: 0.5 to 3)
        threshold_epochs : int, default 5
            epochs between two estimates of every user's K-th score
        threshold_negatives : int, default 1000
            negatives drawn beside the positives to estimate a user's K-th score
        surrogate : str, default 'relu', one of relu, atan, tanh
            a(x) in the place of e^x: relu(x + 1), atan(x) + 1 or tanh(x) + 1
        ccl_weight : float, default 128.0
            w, the weight of the negatives
        ccl_margin : float, default 0.4
            m, the cosine below which a negative is left alone
        cf_pen : float, default 0.01
            weight that holds treatment and control together
        control_table : str, default 'graph', one of graph, plain
            under lightgcn: control rows hear the items' neighbours, or no one
        reg_weight : float, default 0.05
            r, the share of the correlation term
        sam_share : float, default 0.0
            draw negatives among this share of items, nearest in popularity; 0: all
        macr_alpha : float, default 0.001
            weight of the item branch
        macr_beta : float, default 0.001
            weight of the user branch
        macr_c : float, default -1.0
            c of the ranking (below 0: chosen on validation, 0 to 50)
        lr : float, default 0.001
            learning rate (unless given, 2e-3 where a loss has a temperature and --goal is logged;
            half of it with --from)
        format : str, default 'auto', one of auto, jsonl, inter, adjacency, delimited
            how the interactions file is written
        user_column : str, default ''
            the user's column, by name or index from 0 (empty: found)
        item_column : str, default ''
            the item's column, by name or index from 0 (empty: found)
        rating_column : str, default ''
            the rating's column, by name or index (empty: found)
        time_column : str, default ''
            the time's column, by name or index (empty: found)
        min_rating : str, default ''
            keep rows with at least this rating (empty: keep all)
        separator : str, default 'auto'
            auto, comma, tab, space, pipe, semicolon or the characters
        header : str, default 'auto', one of auto, yes, no
            whether the first line names the columns
        on_bad_row : str, default 'error', one of error, skip
            what to do with a row that cannot be read
        k_core : int, default 0
            keep users and items with at least this many interactions (0: all)
        split : str, default 'random', one of random, balanced, temporal, leave-one-out, none
            how a single file is cut into train, validation and test
        weight_column : str, default ''
            a column of how much each row counts (count, dwell time, strength), by name or index:
            pairs are drawn as often; repeated rows add up (empty: all alike)
        half_life : str, default ''
            a row counts half as much when it is so much older than the newest: 30d, 12h, 2w, or a
            number in the unit of the times (empty: age does not count)
        """
        self.encoder = encoder
        self.start_from = start_from
        self.loss = loss
        self.optimizer = optimizer
        self.dim = dim
        self.negatives = negatives
        self.shared_negatives = shared_negatives
        self.tile = tile
        self.samples = samples
        self.score = score
        self.batch = batch
        self.accumulate = accumulate
        self.l2 = l2
        self.validation = validation
        self.refit = refit
        self.epochs = epochs
        self.lr_decay = lr_decay
        self.average = average
        self.eval_every = eval_every
        self.validation_users = validation_users
        self.evaluation_users = evaluation_users
        self.candidates = candidates
        self.goal = goal
        self.debias = debias
        self.patience = patience
        self.name = name
        self.random_state = random_state
        self.num_threads = num_threads
        self.checkpoint_seconds = checkpoint_seconds
        self.layers = layers
        self.half_width = half_width
        self.tau = tau
        self.negative_weight = negative_weight
        self.margin = margin
        self.margin_strength = margin_strength
        self.margin_shape = margin_shape
        self.tau_extractor = tau_extractor
        self.extractor = extractor
        self.extractor_epochs = extractor_epochs
        self.top_k = top_k
        self.tau_weight = tau_weight
        self.threshold_epochs = threshold_epochs
        self.threshold_negatives = threshold_negatives
        self.surrogate = surrogate
        self.ccl_weight = ccl_weight
        self.ccl_margin = ccl_margin
        self.cf_pen = cf_pen
        self.control_table = control_table
        self.reg_weight = reg_weight
        self.sam_share = sam_share
        self.macr_alpha = macr_alpha
        self.macr_beta = macr_beta
        self.macr_c = macr_c
        self.lr = lr
        self.format = format
        self.user_column = user_column
        self.item_column = item_column
        self.rating_column = rating_column
        self.time_column = time_column
        self.min_rating = min_rating
        self.separator = separator
        self.header = header
        self.on_bad_row = on_bad_row
        self.k_core = k_core
        self.split = split
        self.weight_column = weight_column
        self.half_life = half_life
