"""Language models as players: the boundary to a model, prompting methods, and a scripted stand-in."""

from backburner.agents.models.client import Completion, Message, ModelClient, Settings
from backburner.agents.models.decoding import Choices
from backburner.agents.models.methods import METHODS
from backburner.agents.models.openai_client import OpenAIClient
from backburner.agents.models.policy import ModelPolicy, first_prompt, model_policy
from backburner.agents.models.scripted import ScriptedModel

__all__ = [
    "METHODS",
    "Choices",
    "Completion",
    "Message",
    "ModelClient",
    "ModelPolicy",
    "OpenAIClient",
    "ScriptedModel",
    "Settings",
    "first_prompt",
    "model_policy",
]
