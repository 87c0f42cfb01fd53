/**
 * Keys for the whole program. Ctrl K and Cmd K always; single keys only while no field has the focus, and only until someone turns
 * them off.
 */
import { useEffect } from 'react';
import { useNavigate } from '#views/navigation.tsx';
import { listenForKeys } from './key-listener.ts';
import type { PanelName } from './panels.ts';
import { useAddress } from './queries.ts';

/** Listens for keys as long as the frame is there. */
export function useKeys(openPanel: (panel: PanelName) => void): void {
  const { navigate } = useNavigate();
  const project = useAddress()?.project;
  useEffect(() => listenForKeys({ openPanel, navigate, project }), [navigate, openPanel, project]);
}
