import * as l10n from '@vscode/l10n';
import type { ComparedRate, ComparedRun } from '../../../src/protocol/batchCompare';
import type { CompareSession } from './session';

/** The runs, one per line, with how the others differ from the reference run. */
export function RunsTable({ session }: { readonly session: CompareSession }) {
  const runs = session.runs.value;
  const summary = session.summary.value;
  const { reference } = session.table.choice.value;
  const scale = scaleOf(summary?.runs.flatMap(({ rate }) => rate ?? []) ?? []);
  const letter = runs[reference]?.letter ?? '';
  return (
    <div class="compared" tabIndex={0} role="region" aria-label={l10n.t('Runs')}>
      <table class="compared-runs">
        <thead>
          <tr>
            <th scope="col" class="compared-run">
              {l10n.t('Run')}
            </th>
            <th scope="col" class="compared-facts">
              {l10n.t('Batch file and mode')}
            </th>
            <th scope="col" class="compared-number compared-answered">
              {l10n.t('Answered')}
            </th>
            {scale && (
              <th scope="col" class="compared-share">
                {l10n.t('Matches expected')}
              </th>
            )}
            <th scope="col" class="compared-number compared-cost">
              {l10n.t('Cost')}
            </th>
            <th scope="col" class="compared-number compared-tokens">
              {l10n.t('Tokens (in + out)')}
            </th>
            <th scope="col">{l10n.t('Compared with {0}', letter)}</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run, place) => (
            <RunLine key={run.letter} session={session} run={run} place={place} scale={scale} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RunLineProps {
  readonly session: CompareSession;
  readonly run: ComparedRun;
  readonly place: number;
  /** `undefined` if nothing is expected. */
  readonly scale: RateScale | undefined;
}

function RunLine({ session, run, place, scale }: RunLineProps) {
  const { answered = '', rate, difference = '' } = session.summary.value?.runs[place] ?? {};
  const isReference = place === session.table.choice.value.reference;
  return (
    <tr>
      <th scope="row">
        <span class="compared-title">
          <button
            type="button"
            class="compared-letter"
            aria-pressed={isReference}
            title={l10n.t('Compare with Run {0}', run.letter)}
            onClick={() => session.setReference(place)}
          >
            {run.letter}
          </button>
          <button
            type="button"
            class="link compared-name"
            title={[run.name, run.facts, run.hint].filter(Boolean).join('\n')}
            onClick={() => void session.ask('compare/openRun', { run: place })}
          >
            <bdi>{run.name}</bdi>
          </button>
          <span class="compared-mark">{isReference && l10n.t('reference')}</span>
        </span>
      </th>
      <td class="compared-facts" title={run.facts}>
        {run.facts}
      </td>
      <td class="compared-number">{answered}</td>
      {scale && <td>{rate && <Rate rate={rate} scale={scale} />}</td>}
      <td class="compared-number compared-cost" title={run.costHint}>
        {run.cost || '–'}
      </td>
      <td class="compared-number compared-tokens">{run.tokens}</td>
      <td class="compared-difference" title={difference}>
        {difference}
      </td>
    </tr>
  );
}

/** The scale of all rate plots: the shares from `low` on. */
interface RateScale {
  readonly low: number;
  readonly span: number;
}

/** Returns `undefined` if there are no rates. */
function scaleOf(rates: readonly ComparedRate[]): RateScale | undefined {
  if (rates.length === 0) return undefined;
  const low = rates.reduce((least, one) => Math.min(least, one.low), 1);
  const high = rates.reduce((most, one) => Math.max(most, one.high), 0);
  return { low, span: Math.max(high - low, 0.01) };
}

/** A rate as a dot and its interval as a line, on the scale of all rates. */
function Rate({ rate, scale: { low, span } }: { readonly rate: ComparedRate; readonly scale: RateScale }) {
  const at = (share: number) => `${((share - low) / span) * 100}%`;
  return (
    <span class="compared-rate" title={rate.hint}>
      <span class="compared-percent">{rate.text}</span>
      <span class="compared-plot" aria-hidden="true">
        <span class="compared-scale">
          <span
            class="compared-interval"
            style={{ insetInlineStart: at(rate.low), width: `${((rate.high - rate.low) / span) * 100}%` }}
          />
          <span class="compared-dot" style={{ insetInlineStart: at(rate.estimate) }} />
        </span>
      </span>
      <span class="spoken">{rate.hint}</span>
    </span>
  );
}
