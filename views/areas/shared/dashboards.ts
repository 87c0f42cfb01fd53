/** Layer of areas with dashboards. */
import '#views/dashboards/Tiles.module.css';
import '#views/dashboards/fill-screen.ts';
import '#views/dashboards/tile-options.ts';
import '#views/screens/dashboards/DashboardActions.tsx';
import '#views/words/dashboards.ts';
