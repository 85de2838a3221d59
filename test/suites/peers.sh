#!/usr/bin/env bash
# Implementations that are not ours, on the other end of the wire: test/peers.
# needs: curl python3-prometheus-client python3-websockets
# npm: yes
# after: build-asan
set -u

status=0
"$NODE" test/peers/json.mjs "$ASAN_BUILD" || status=1
"$NODE" test/peers/ws.mjs "$ASAN_BUILD" || status=1
/usr/bin/python3 test/peers/websockets_peer.py "$ASAN_BUILD" || status=1
"$NODE" test/peers/mcp.mjs "$ASAN_BUILD" || status=1
"$NODE" test/peers/mcp_clients.mjs "$ASAN_BUILD" || status=1
/usr/bin/python3 test/peers/ops.py "$ASAN_BUILD" || status=1
exit $status
