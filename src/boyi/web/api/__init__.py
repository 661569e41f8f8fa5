"""The API under `/api/v1`: one operation for each method of `boyi.service.service.Service`, named like it.

Start at `build.build_api`; `docs/api.md` is the page for users.
"""
