/**
 * What fails stays small: an error while drawing a part of the screen replaces that part only, and trying again asks the
 * failed queries anew. Regions (views/kit) and whole screens (views/shell.tsx) are wrapped alike.
 */
import { QueryErrorResetBoundary } from '@tanstack/react-query';
import { Component, type ReactNode } from 'react';

export interface BoundaryProps {
  /** Drawn in place of the children; `retry` draws them again. */
  fallback(error: unknown, retry: () => void): ReactNode;
  /** When this changes the error is forgotten: it belonged to something else. */
  of?: string;
  children: ReactNode;
}

/** Catches what its children throw while they are drawn. */
export function Boundary(props: BoundaryProps) {
  return (
    <QueryErrorResetBoundary>
      {({ reset }) => <Catcher key={props.of ?? ''} {...props} onReset={reset} />}
    </QueryErrorResetBoundary>
  );
}

interface Caught {
  error: unknown;
  failed: boolean;
}

class Catcher extends Component<BoundaryProps & { onReset(): void }, Caught> {
  override state: Caught = { error: null, failed: false };

  static getDerivedStateFromError(error: unknown): Caught {
    return { error, failed: true };
  }

  retry = (): void => {
    this.props.onReset();
    this.setState({ error: null, failed: false });
  };

  override render(): ReactNode {
    return this.state.failed ? this.props.fallback(this.state.error, this.retry) : this.props.children;
  }
}
