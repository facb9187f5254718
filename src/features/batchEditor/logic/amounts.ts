import type { SampleSize } from '../../../core/batch/transform/transforms';

const units: Readonly<Record<string, number>> = { '': 1, b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 };

/** Parses a whole number from 1 on, with or without thousands separators; `undefined` for anything else. */
export function parseCount(text: string): number | undefined {
  const plain = text.trim().replaceAll(/(?<=\d)[ ,_.](?=\d{3})/g, '');
  const count = /^\d+$/.test(plain) ? Number(plain) : 0;
  return count >= 1 && Number.isSafeInteger(count) ? count : undefined;
}

/** Parses a size such as "500 KB" or "1.5 GB". Units are powers of 1,024, as the service counts them. */
export function parseBytes(text: string): number | undefined {
  const [, number = '', unit = ''] = /^\s*(\d+(?:\.\d+)?)\s*([kmg]?b?)\s*$/i.exec(text) ?? [];
  const factor = units[unit.toLowerCase()] ?? units[`${unit.toLowerCase()}b`];
  const bytes = Math.floor(Number(number) * (factor ?? 0));
  return bytes >= 1 ? bytes : undefined;
}

/** Parses "100" or "10%". */
export function parseSampleSize(text: string): SampleSize | undefined {
  const [, percentText] = /^\s*(\d+(?:\.\d+)?)\s*%\s*$/.exec(text) ?? [];
  const percent = Number(percentText);
  if (percentText !== undefined) return percent > 0 && percent <= 100 ? { percent } : undefined;
  const lines = parseCount(text);
  return lines === undefined ? undefined : { lines };
}

export function parseSeed(text: string): number | undefined {
  const seed = /^\s*\d+\s*$/.test(text) ? Number(text) : undefined;
  return seed !== undefined && Number.isSafeInteger(seed) ? seed : undefined;
}
