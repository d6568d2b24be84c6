-- Public numbers of a disease and a year, made once a day and replaced as a whole; nothing else is read by the public routes.
create table publico_retratos (
  tipo_agravo text not null,
  ano integer not null,
  -- Day in Brasília, from 04:00 on.
  dia date not null,
  feito_em timestamptz not null,
  -- Weeks of the year that had begun, and the smallest count that is shown.
  semanas smallint not null,
  minimo smallint not null,
  constraint publico_retratos__pk primary key (tipo_agravo, ano)
);

-- Numbers of a place after suppression; a place without cases and without hidden zeros has no row.
create table publico_lugares (
  tipo_agravo text not null,
  ano integer not null,
  -- '' for the country, a state's letters, the code of a health region or municipality; with '?' where a part is unknown.
  lugar text collate "C" not null,
  numeros jsonb not null,
  constraint publico_lugares__pk primary key (tipo_agravo, ano, lugar),
  constraint publico_lugares__retrato foreign key (tipo_agravo, ano) references publico_retratos on delete cascade
);
