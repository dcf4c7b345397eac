from ._params import Parameters


class RecommenderParameters(Parameters):
    pass
