import * as l10n from '@vscode/l10n';
import { pageNumber } from '../../components/pageLanguage';
import { useSignal } from '@preact/signals';
import type { VoiceTake } from '../../../src/protocol/voice';
import type { VoiceProps } from './session';

/** The differences of two clips, and playback of both in succession. */
export function CompareTakes({ session, view }: VoiceProps) {
  const playing = useSignal(0);
  const takes = session.chosen.value.flatMap((id) => view.takes.filter((take) => take.id === id));
  const [first, second] = takes;
  if (!first) return null;
  const play = async () => {
    for (const [index, take] of takes.entries()) {
      playing.value = index + 1;
      if (!(await playToEnd(take))) break;
    }
    playing.value = 0;
  };
  const stop = () => takes.forEach((take) => playerOf(take)?.pause());
  return (
    <div class="voice-compare">
      {second ? (
        <Differences first={first} second={second} />
      ) : (
        <p class="voice-muted">{l10n.t('Select a second clip to compare.')}</p>
      )}
      <div class="voice-run">
        {second && (
          <vscode-button appearance="secondary" onClick={() => (playing.value === 0 ? void play() : stop())}>
            {playing.value === 0 ? l10n.t('Play Both') : l10n.t('Stop')}
          </vscode-button>
        )}
        <button type="button" class="link" onClick={() => (stop(), session.chooseNone())}>
          {l10n.t('Stop Comparing')}
        </button>
        <span class="voice-muted" aria-live="polite">
          {playing.value > 0 && l10n.t('Playing {0} of 2', pageNumber(playing.value))}
        </span>
      </div>
    </div>
  );
}

interface DifferencesProps {
  readonly first: VoiceTake;
  readonly second: VoiceTake;
}

function Differences({ first, second }: DifferencesProps) {
  const differences = takeDifferences(first, second);
  if (differences.length === 0)
    return <p class="voice-muted">{l10n.t('Both clips have the same text and settings.')}</p>;
  return (
    <table class="voice-differences">
      <thead>
        <tr>
          <td />
          <th scope="col">{l10n.t('First')}</th>
          <th scope="col">{l10n.t('Second')}</th>
        </tr>
      </thead>
      <tbody>
        {differences.map(({ name, values }) => (
          <tr key={name}>
            <th scope="row">{name === 'text' ? l10n.t('Text') : name}</th>
            {values.map((value, index) => (
              <td key={index} dir="auto">
                {value || l10n.t('Service default')}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function playerOf({ id }: VoiceTake): HTMLAudioElement | undefined {
  const row = [...document.querySelectorAll<HTMLElement>('.voice-take')].find(({ dataset }) => dataset['take'] === id);
  return row?.querySelector('audio') ?? undefined;
}

/** Resolves with whether the clip was played to its end. */
async function playToEnd(take: VoiceTake): Promise<boolean> {
  const player = playerOf(take);
  if (!player) return true;
  player.currentTime = 0;
  const over = new Promise<boolean>((resolve) => {
    const listening = new AbortController();
    const end = (isHeard: boolean) => {
      listening.abort();
      resolve(isHeard);
    };
    const { signal } = listening;
    player.addEventListener('ended', () => end(true), { signal });
    player.addEventListener('error', () => end(true), { signal });
    // A player also fires `pause` at its end.
    player.addEventListener('pause', () => !player.ended && end(false), { signal });
  });
  try {
    await player.play();
  } catch {
    return false;
  }
  return over;
}

interface TakeDifference {
  /** `text`, or the name of a parameter. */
  readonly name: string;
  /** Empty if not set. */
  readonly values: readonly [string, string];
}

/** Returns the differences of two clips, in the order of the parameters. */
function takeDifferences(first: VoiceTake, second: VoiceTake): readonly TakeDifference[] {
  const names = [...new Set([...first.settings, ...second.settings].map(({ name }) => name))];
  const valueOf = ({ settings }: VoiceTake, settingName: string) =>
    settings.find(({ name }) => name === settingName)?.value ?? '';
  const all: readonly TakeDifference[] = [
    { name: 'text', values: [first.text, second.text] },
    ...names.map((name) => ({ name, values: [valueOf(first, name), valueOf(second, name)] as const })),
  ];
  return all.filter(({ values: [one, other] }) => one !== other);
}
