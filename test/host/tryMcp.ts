import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { SetupError } from './command.ts';

/** Starts the MCP server of an installed extension with its own demo service, and calls a tool. */
export async function tryMcp(extensions: string): Promise<void> {
  const name = readdirSync(extensions).find((entry) => entry.startsWith('inference-desk.'));
  if (name === undefined) throw new SetupError(`No extension is installed in ${extensions}.`);
  const dist = path.join(extensions, name, 'dist');
  const folder = mkdtempSync(path.join(os.tmpdir(), 'mcp-'));
  const demo = spawn(process.execPath, [path.join(dist, 'demo.js'), '--data', path.join(folder, 'demo')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const client = new Client({ name: 'package', version: '1' });
  try {
    const died = once(demo, 'exit').then(() => {
      throw new SetupError('The packaged demo service ended before it told its address.');
    });
    const [line] = (await Promise.race([once(createInterface(demo.stdout), 'line'), died])) as [string];
    const { baseUrl, apiKey } = JSON.parse(line) as { readonly baseUrl: string; readonly apiKey: string };
    const env = {
      INFERENCE_DESK_BASE_URL: baseUrl,
      INFERENCE_DESK_API_KEY: apiKey,
      INFERENCE_DESK_STATE: path.join(folder, 'state'),
    };
    const args = [path.join(dist, 'mcp.js')];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env, cwd: folder }));
    const { tools } = await client.listTools();
    const { content, isError } = await client.callTool({ name: 'inferenceDesk_accountBalance', arguments: {} });
    if (isError === true || tools.length === 0) throw new SetupError(JSON.stringify(content));
    console.log(`The packaged MCP server has ${tools.length} tools, and they work.`);
  } finally {
    demo.kill();
    await client.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
