// node node_server.cjs PORT [LOCK] - the peer that Dovetail is measured against:
// the same MCP and the same tool on the `ws` package.  Once it listens, it
// writes the file LOCK as an IDE would.
'use strict';
const fs = require('fs');
const { WebSocketServer } = require(`${process.env.NPM_DIR}/node_modules/ws`);

const [port, lock] = process.argv.slice(2);

const tools = new Map([
	['echo', (args) => {
		if (typeof args.text !== 'string')
			throw new Error('text: expected string');
		return [{ type: 'text', text: args.text }];
	}],
]);

const methods = {
	initialize: (params) => ({
		protocolVersion: params.protocolVersion,
		capabilities: { tools: { listChanged: false } },
		serverInfo: { name: 'node', version: '1' },
	}),
	'tools/call': (params) => {
		const tool = tools.get(params.name);
		if (!tool)
			throw new Error(`no tool is named ${params.name}`);
		return { content: tool(params.arguments) };
	},
};

function answer(message) {
	const method = methods[message.method];
	if (!method)
		return { error: { code: -32601, message: 'no such method' } };
	try {
		return { result: method(message.params) };
	} catch (error) {
		return { error: { code: -32602, message: error.message } };
	}
}

const server = new WebSocketServer({
	host: '127.0.0.1',
	port: Number(port),
	perMessageDeflate: false,
	maxPayload: 64 * 1024 * 1024,
});

server.on('connection', (socket) => {
	socket.on('message', (data) => {
		const message = JSON.parse(data.toString());
		if (message.id === undefined)
			return;
		socket.send(JSON.stringify({
			jsonrpc: '2.0', id: message.id, ...answer(message),
		}));
	});
});

server.on('listening', () => {
	if (!lock)
		return;
	fs.writeFileSync(`${lock}.new`, JSON.stringify({ pid: process.pid }),
	                 { mode: 0o600 });
	fs.renameSync(`${lock}.new`, lock);
});
