"""Both services in the frameworks that agents are written with: `anthropic`, `langgraph`, `openai_agents`.

Each module imports its framework, which is an extra of this package: `pip install "agent-faculties[langgraph]"`.
"""
