-- Hyperparameters of the nowcast of a place, kept for a week: estimating them takes twenty times as long as a nowcast.
create table nowcast_parametros (
  -- '' for the country, a state's letters, or the code of a health region or municipality.
  lugar text collate "C" not null,
  tipo_agravo text not null,
  -- Cases that are counted: notificados or provaveis.
  casos text not null,
  -- Number of the week they were estimated for, and the cases they were estimated from.
  semana integer not null,
  total integer not null,
  ln_tau_a double precision not null,
  ln_tau_b double precision not null,
  ln_phi double precision not null,
  constraint nowcast_parametros__pk primary key (lugar, tipo_agravo, casos)
);
