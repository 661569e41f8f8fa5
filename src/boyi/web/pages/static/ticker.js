// A clock for work that goes on while the page is hidden.
setInterval(() => postMessage(0), 400);
