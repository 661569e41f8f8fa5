"""The app in the browser: the API under `/api/v1` and the pages, two faces of `boyi.service`.

Start at `app.build`.
"""
