"""Language models as players: the boundary to a model, prompting methods, and a scripted stand-in."""

from backburner.agents.models.client import Choices, Completion, Message, ModelClient, ScriptedModel, Settings
from backburner.agents.models.methods import METHODS
from backburner.agents.models.openai_client import OpenAIClient
from backburner.agents.models.policy import ModelPolicy, first_prompt, model_policy

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
