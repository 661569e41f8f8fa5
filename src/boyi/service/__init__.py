"""Kept games, engines in worker processes, analysis: everything the app does, without any user interface.

Start at `service.Service`: one method an action. The web API and the pages are two faces of it and of nothing else.
"""
