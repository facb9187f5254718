import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { SourceRowsWriter } from '../../src/core/batch/results/sourceRows';

interface TicketFiles {
  readonly input: string;
  readonly output: string;
  /** The folder for the source columns. */
  readonly store: string;
}

/** Writes a batch file of this many tickets, the columns of its source table, and JSON answers to all of its requests. */
export async function writeTickets({ input, output, store }: TicketFiles, count: number): Promise<void> {
  const stored = await SourceRowsWriter.begin(store, `tickets-${count}`, ['id', 'message', 'product', 'expected']);
  const requests: string[] = [];
  const results: string[] = [];
  for (let number = 0; number < count; number += 1) {
    const id = `T-${number}`;
    const message = `message ${number}`;
    await stored.add(id, [id, message, `product ${number % 7}`, `label ${number % 5}`]);
    const messages = [{ role: 'user', content: `Sort the message of a customer: ${message}` }];
    requests.push(JSON.stringify({ custom_id: id, url: '/v1/chat/completions', body: { model: 'm', messages } }));
    const content = JSON.stringify({
      label: `label ${number % 6}`,
      priority: number % 3,
      reason: 'It says so. '.repeat(9),
    });
    const choices = [{ message: { role: 'assistant', content }, finish_reason: 'stop' }];
    const body = { model: 'm', choices, usage: { prompt_tokens: 40, completion_tokens: 30 } };
    results.push(JSON.stringify({ custom_id: id, response: { status_code: 200, body }, error: null }));
  }
  await writeFile(input, `${requests.join('\n')}\n`);
  await writeFile(output, `${results.join('\n')}\n`);
  await stored.end({ source: 'tickets.csv', path: input, sha256: '', used: ['message'] });
}

/** Reads both files, and groups the tickets of a product by the label in their answer. */
export async function naiveTickets(input: string, output: string): Promise<number> {
  const answers = new Map<string, string>();
  for await (const line of createInterface({ input: createReadStream(output) })) {
    const result = JSON.parse(line) as {
      custom_id: string;
      response: { body: { choices: { message: { content: string } }[] } };
    };
    const { content } = result.response.body.choices[0]!.message;
    answers.set(result.custom_id, (JSON.parse(content) as { label: string }).label);
  }
  const groups = new Map<string, number>();
  for await (const line of createInterface({ input: createReadStream(input) })) {
    const { custom_id: id } = JSON.parse(line) as { custom_id: string };
    const label = answers.get(id) ?? '';
    if (Number(id.slice(2)) % 7 === 3) groups.set(label, (groups.get(label) ?? 0) + 1);
  }
  return [...groups.values()].reduce((sum, count) => sum + count, 0);
}
