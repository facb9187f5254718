import { fill } from '../../components/fill';
import { IconButton } from '../../components/iconButton';
import { Player } from './player';
import type { VoiceProps } from './voiceContext';

/** Facts about the voice, and the recording it was created from. */
export function AboutVoice({ shown, view }: VoiceProps) {
  const { session, strings } = shown;
  return (
    <section class="voice-section" aria-labelledby="voice-about">
      <h2 id="voice-about">{strings.about}</h2>
      <dl class="voice-facts">
        <div>
          <dt>{strings.model}</dt>
          <dd>{view.model || strings.notSaid}</dd>
        </div>
        {!view.isBuiltIn && (
          <div>
            <dt>{strings.spokenText}</dt>
            <dd class="voice-said" dir="auto">
              {view.text || strings.notSaid}
            </dd>
          </div>
        )}
        <div>
          <dt>{strings.uri}</dt>
          <dd class="voice-uri">
            <code dir="ltr">{view.uri}</code>
            <span class="voice-icons">
              <IconButton icon="copy" label={strings.copyUri} onClick={() => session.do('copyUri')} />
              <IconButton icon="insert" label={strings.insertUri} onClick={() => session.do('insertUri')} />
            </span>
          </dd>
        </div>
        {view.sample && (
          <div>
            <dt>{strings.sample}</dt>
            <dd>
              {view.sample.name}
              {view.sample.src === '' ? (
                <span class="voice-muted">{fill(strings.sampleGone, view.sample.place)}</span>
              ) : (
                <Player src={view.sample.src} label={strings.playSample} cannotPlay={strings.cannotPlay} />
              )}
            </dd>
          </div>
        )}
      </dl>
    </section>
  );
}
