import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { goalOf, isMet, ratioOf, type BenchLine } from './benchLine.ts';
import { newest } from './obtain.ts';
import { root } from './places.ts';

/** A saved line, with values derived from its figures for readers of the file. */
export interface ReportedLine extends BenchLine {
  readonly ratio?: number;
  readonly goal?: string;
  readonly met?: boolean;
}

/** The results of one bench file, with ours and its peers measured in the same minutes. */
export interface BenchPart {
  readonly name: string;
  readonly date: string;
  readonly seconds: number;
  readonly lines: readonly ReportedLine[];
}

export interface BenchReport {
  readonly machine: string;
  readonly versions: Readonly<Record<string, string>>;
  readonly parts: readonly BenchPart[];
}

/** The last run. The README shows some of its lines. */
export const reportFile = path.join(root, 'test/bench/report.json');

export const readReport = (): BenchReport => JSON.parse(readFileSync(reportFile, 'utf8')) as BenchReport;

/** Peers and tools that a figure depends on. */
const named = ['@anthropic-ai/sdk', 'openai', 'vscode-json-languageservice', 'zod', 'undici', 'markdown-it'];

/** Replaces the parts of the same name. Parts measured on another machine or Node version are removed. */
export function saveParts(parts: readonly BenchPart[]): void {
  const cpus = os.cpus();
  const machine = `${cpus.length} × ${cpus[0]?.model.trim() || process.arch}, ${Math.round(os.totalmem() / 2 ** 30)} GB, ${os.type()} ${process.arch}`;
  const packages = named.map((name) => [name, versionOf(name)] as const);
  const versions = { node: process.versions.node, editor: newest.vscode, ...Object.fromEntries(packages) };
  const old = existsSync(reportFile) ? readReport() : undefined;
  const isSame = old?.machine === machine && old.versions['node'] === versions.node;
  const saved = isSame ? old.parts.filter(({ name }) => parts.every((part) => part.name !== name)) : [];
  const all = [...saved, ...parts].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const report: BenchReport = { machine, versions, parts: all };
  writeFileSync(reportFile, `${JSON.stringify(report, undefined, 2)}\n`);
}

function versionOf(name: string): string {
  const file = path.join(root, 'node_modules', name, 'package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }).version;
}

export function toReported(line: BenchLine): ReportedLine {
  const [ratio, goal, met] = [ratioOf(line), goalOf(line), isMet(line)];
  return {
    ...line,
    ours: rounded(line.ours),
    ...(line.peer !== undefined && { peer: rounded(line.peer) }),
    ...(line.growth && { growth: line.growth.map(rounded) }),
    ...(ratio !== undefined && { ratio: rounded(ratio) }),
    ...(goal !== undefined && { goal }),
    ...(met !== undefined && { met }),
  };
}

/** Further digits are noise. */
const rounded = (value: number): number => Number(value.toPrecision(4));

export const figure = (value: number | undefined): string =>
  value === undefined ? '' : value.toLocaleString('en', { maximumSignificantDigits: value < 1000 ? 3 : 6 });

/** Returns all lines of a run as a text table: what, ours, peer, ratio, goal, met. */
export function reportTable(lines: readonly ReportedLine[]): string {
  return table([['what', 'ours', 'peer', 'ratio', 'goal', 'met'], ...lines.map(toRow)]);
}

function toRow({ name, ours, unit, peer, peerName = '', growth, ratio, goal = '', met }: ReportedLine): string[] {
  const beside = peer === undefined ? '' : `${figure(peer)} (${peerName})`;
  const sizes = growth === undefined ? beside : growth.map((cost) => figure(cost)).join(', ');
  const answer = met === undefined ? '' : met ? 'yes' : 'NO';
  return [name, `${figure(ours)} ${unit}`, sizes, figure(ratio), goal, answer];
}

/** Aligns columns: names on the left, figures on the right. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join('  '),
    )
    .join('\n');
}
