import { pcmRates } from '../../../src/protocol/voiceUpload';
import type { VoiceUploadSample, VoiceUploadView } from '../../../src/protocol/voiceUpload';
import { fill } from '../../components/fill';
import { Note } from '../../components/note';
import { SendFacts } from '../../components/sendFacts';
import type { Upload } from './uploadContext';
import { Waveform } from './waveform';

interface RecordingProps {
  readonly upload: Upload;
  readonly view: VoiceUploadView;
}

/** The recording: its facts, waveform and player. If it cannot be read, the error. */
export function Recording({ upload, view }: RecordingProps) {
  const { session, strings } = upload;
  const { sample, trouble } = view;
  if (view.state === 'reading') return <p class="send-muted send-section">{strings.reading}</p>;
  if (trouble) {
    const actions = [...trouble.actions, { id: 'choose', label: strings.chooseOther }];
    const onAct = (id: string) => void (id === 'choose' ? session.ask('choose') : session.act(id));
    return <Note tone="error" title={trouble.title} detail={trouble.detail} actions={actions} onAct={onAct} />;
  }
  if (!sample) return null;
  return (
    <section class="send-section" aria-label={strings.about}>
      <SendFacts class="sample-facts" facts={sample.facts} />
      {sample.isRaw && <PcmRate upload={upload} />}
      {sample.playUri !== undefined && <Listen upload={upload} sample={sample} />}
    </section>
  );
}

interface ListenProps {
  readonly upload: Upload;
  readonly sample: VoiceUploadSample;
}

function Listen({ upload, sample }: ListenProps) {
  const { session, strings } = upload;
  const drawing = session.sound.drawing.value;
  const hint =
    sample.notDrawn ??
    (drawing.kind === 'broken' ? strings.cannotDraw : session.player.isBroken.value ? strings.cannotPlay : undefined);
  return (
    <>
      {(drawing.kind === 'drawn' || drawing.kind === 'loading') && (
        <Waveform upload={upload} peaks={drawing.kind === 'drawn' ? drawing.peaks : []} />
      )}
      {drawing.kind === 'loading' && <span class="spoken">{strings.drawing}</span>}
      <audio
        class="sample-audio"
        controls
        controlsList="nodownload noplaybackrate"
        preload="metadata"
        aria-label={strings.listen}
        src={session.sound.uri.value}
        ref={session.player.attach}
      />
      {hint && <p class="send-hint">{hint}</p>}
    </>
  );
}

/** Raw samples have no sample rate of their own. */
function PcmRate({ upload: { session, strings } }: { readonly upload: Upload }) {
  return (
    <div class="send-field sample-rate">
      <label for="pcm-rate">{strings.pcmRate}</label>
      <select
        id="pcm-rate"
        class="parameter-input"
        value={String(session.form.value.pcmRate)}
        aria-describedby="pcm-rate-about"
        onChange={({ currentTarget }) => session.change({ pcmRate: Number(currentTarget.value) })}
      >
        <option value="0">{strings.pcmRateUnknown}</option>
        {pcmRates.map((rate) => (
          <option value={String(rate)} key={rate}>
            {fill(strings.hertz, rate)}
          </option>
        ))}
      </select>
      <span id="pcm-rate-about" class="send-hint">
        {strings.pcmRateHint}
      </span>
    </div>
  );
}
