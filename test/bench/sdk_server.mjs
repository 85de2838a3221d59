// node sdk_server.mjs TOOLS [PORT] - the peer that Dovetail's MCP is measured
// against: the official SDK, at /mcp of PORT by Streamable HTTP and by WebSocket,
// or on stdio.
//
// TOOLS is a file with the array that tools/list answers.  The SDK's `Server` is
// used and not its `McpServer`, which checks arguments and makes the schemas
// anew for each list; so what is measured is the least that an SDK server does.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';

const require = createRequire(`${process.env.NPM_DIR}/package.json`);
const sdk = '@modelcontextprotocol/sdk';
const { Server } = require(`${sdk}/server/index.js`);
const { CallToolRequestSchema, ListToolsRequestSchema } =
	require(`${sdk}/types.js`);

const [file, port] = process.argv.slice(2);
const tools = JSON.parse(readFileSync(file, 'utf8'));
const names = new Set(tools.map((tool) => tool.name));

function connect(transport) {
	const server = new Server({ name: 'sdk', version: '1' },
	                          { capabilities: { tools: {} } });

	server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
	server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
		if (!names.has(params.name))
			throw new Error(`no tool is named ${params.name}`);
		return { content: [{ type: 'text', text: params.arguments.text }] };
	});
	return server.connect(transport);
}

// The SDK has no WebSocket for servers; this is one message per text frame.
class SocketTransport {
	constructor(socket) {
		this.socket = socket;
	}

	async start() {
		this.socket.on('message', (data) => {
			this.onmessage(JSON.parse(data.toString()));
		});
		this.socket.on('close', () => this.onclose?.());
	}

	async send(message) {
		this.socket.send(JSON.stringify(message));
	}

	async close() {
		this.socket.close();
	}
}

function listen() {
	const { StreamableHTTPServerTransport } =
		require(`${sdk}/server/streamableHttp.js`);
	const { WebSocketServer } = require('ws');
	const sessions = new Map();

	async function begin() {
		const transport = new StreamableHTTPServerTransport({
			sessionIdGenerator: randomUUID,
			enableJsonResponse: true,
			onsessioninitialized: (id) => sessions.set(id, transport),
			onsessionclosed: (id) => sessions.delete(id),
		});
		await connect(transport);
		return transport;
	}

	const http = createServer(async (request, response) => {
		const transport = sessions.get(request.headers['mcp-session-id']);
		await (transport ?? await begin()).handleRequest(request, response);
	});
	const sockets = new WebSocketServer({ server: http,
	                                      perMessageDeflate: false });
	sockets.on('connection', (socket) => connect(new SocketTransport(socket)));
	http.keepAliveTimeout = 60000;
	http.listen(Number(port), '127.0.0.1');
}

if (port) {
	listen();
} else {
	const { StdioServerTransport } = require(`${sdk}/server/stdio.js`);
	await connect(new StdioServerTransport());
}
