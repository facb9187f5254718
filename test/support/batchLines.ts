import { closeSync, openSync, writeSync } from 'node:fs';

const words =
  'the quick brown fox asks what risk there is in a well-known task that links space and black books, likely to break'.split(
    ' ',
  );

/** Returns valid batch requests, each about this long and with unique text. */
export function batchLine(number: number, bytes: number): string {
  let text = '';
  for (let word = number; text.length < bytes - 240; word = (word * 7 + 13) % 1009) {
    text += `${words[word % words.length]} `;
  }
  return JSON.stringify({
    custom_id: `request-${number}`,
    method: 'POST',
    url: '/v1/chat/completions',
    body: {
      model: 'Qwen/Qwen2.5-7B-Instruct',
      messages: [
        { role: 'system', content: 'You are helpful.' },
        { role: 'user', content: `${text}\n"x"` },
      ],
      max_tokens: 512,
      temperature: 0.7,
    },
  });
}

/** Writes this many lines without holding them in memory. Returns the file's size. */
export function writeBatchFile(file: string, lines: number, line: (number: number) => string): number {
  const handle = openSync(file, 'w');
  let written = 0;
  let gathered = '';
  const flush = () => {
    written += writeSync(handle, gathered);
    gathered = '';
  };
  for (let number = 0; number < lines; number += 1) {
    gathered += `${line(number)}\n`;
    if (gathered.length > 1 << 20) flush();
  }
  flush();
  closeSync(handle);
  return written;
}
