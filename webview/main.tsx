// First, because other modules may localize while they are loaded.
import './translations';
import { ignoreComposingKeys } from './components/composition';
import { retainFocus } from './components/focus';
import { forgetStyleNonce } from './styleNonce';
import type { ScreenId } from '../src/protocol/screens';
import { connect } from './host';
import { screens } from './screens/index';
import './styles/base.css';
import { registerControls } from './toolkit';

function mount<Id extends ScreenId>(id: Id): void {
  screens[id](document.body, connect());
}

registerControls();
forgetStyleNonce();
ignoreComposingKeys(window);
retainFocus(document.body);
mount(document.body.dataset['screen'] as ScreenId);
